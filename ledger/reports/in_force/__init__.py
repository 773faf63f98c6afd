"""What is in force at each table on a day, since when, by which section and fact."""

// An OpenID provider on this machine for tests: `node provider.mjs PORT CLIENT SECRET DESK`.
// Whatever name is entered becomes an account of that name; its own pages of sign-in are used.
import { Provider } from "oidc-provider";

const [port, client, secret, desk] = process.argv.slice(2);
const provider = new Provider(`http://localhost:${port}`, {
  clients: [
    {
      client_id: client,
      client_secret: secret,
      redirect_uris: [`${desk}/sign-in/openid/return`],
      post_logout_redirect_uris: [`${desk}/sign-in`],
      backchannel_logout_uri: `${desk}/sign-in/openid/sign-out`,
      backchannel_logout_session_required: true,
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified"] },
  conformIdTokenClaims: false,
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: id !== "unverified" }),
  }),
  cookies: { keys: ["for tests only"] },
  features: { backchannelLogout: { enabled: true } },
  // Its own guard keeps it from telling anything to addresses of this machine, where the desk is.
  fetch: (url, options) => globalThis.fetch(url, { ...options, dispatcher: undefined }),
  pkce: { required: () => true },
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));

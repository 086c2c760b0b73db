import test from 'ava';
import { useApp } from '../../core/app.js';
import { CALLBACK, OauthSandbox } from './oauth-browser.js';

const app = useApp(test, [], { limitsOn: true });
const sandbox = new OauthSandbox(app);

// Contract: oauth-19.guesses
test('guessing client secrets is counted by address and application, and whoever knows the secret is let through', async (t) => {
  await app.set({ token_guess_limit: 3 });
  const [application, other] = [await sandbox.application(), await sandbox.application()];
  const tryOf = (client_id: string, client_secret: string) =>
    sandbox.post('/oauth/token', {
      grant_type: 'authorization_code',
      code: 'any',
      redirect_uri: CALLBACK,
      client_id,
      client_secret,
    });
  for (let n = 0; n < 3; n += 1) t.is((await tryOf(application.application_id, `wrong ${n}`)).status, 401);
  const rejection = await tryOf(application.application_id, 'wrong 4');
  t.is(rejection.status, 429);
  t.deepEqual(rejection.body, {
    message: { error: 'This endpoint has been requested too many times. Try again later.' },
  });
  t.regex(rejection.headers.get('retry-after') ?? '', /^\d+$/);
  const right = await tryOf(application.application_id, application.secret);
  t.is(right.status, 400);
  t.is(right.body.error, 'invalid_grant');
  t.is((await tryOf(other.application_id, 'wrong')).status, 401);
});

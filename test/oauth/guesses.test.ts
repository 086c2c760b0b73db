import test from 'ava';
import { useApp } from '../core/app.js';
import { CALLBACK, OauthWorld } from './oauth-browser.js';

const app = useApp(test, [], { limitsOn: true });
const world = new OauthWorld(app);

test('guessing client secrets is counted as guessing tokens is, by address', async (t) => {
  await app.set({ token_guess_limit: 3 });
  const application = await world.application();
  const tryOf = (client_secret: string) =>
    world.post('/oauth/token', {
      grant_type: 'authorization_code',
      code: 'any',
      redirect_uri: CALLBACK,
      client_id: application.application_id,
      client_secret,
    });
  for (let n = 0; n < 3; n += 1) t.is((await tryOf(`wrong ${n}`)).status, 401);
  t.is((await tryOf(application.secret)).status, 429);
});

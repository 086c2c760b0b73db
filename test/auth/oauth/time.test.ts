import test from 'ava';
import { useApp } from '../../core/app.js';
import { OauthSandbox } from './oauth-browser.js';

// Time is moved: one after the other.
const app = useApp(test);
const sandbox = new OauthSandbox(app);

// Contract: oauth-19.expiry
test.serial(
  'an access token lasts two hours by the clock of the service, and then says that it is expired',
  async (t) => {
    const { browser } = await sandbox.person();
    const { access_token } = await sandbox.tokens(await sandbox.application(), browser);
    const bearer = app.withHeaders({ Authorization: `Bearer ${access_token}` });
    app.clock.advance('7199 seconds');
    t.is((await bearer.get('/user')).status, 200);
    app.clock.advance('1 second');
    const { status, body } = await bearer.get('/user');
    t.is(status, 401);
    t.is(body.error_description, 'Token is expired. You can either do re-authorization or token refresh.');
  },
);

// Contract: oauth-19.replay
test.serial('a code lasts ten minutes', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const [early, late] = [await sandbox.code(application, browser), await sandbox.code(application, browser)];
  app.clock.advance('9 minutes');
  t.is((await sandbox.redeem(application, early)).status, 200);
  app.clock.advance('1 minute');
  const answer = await sandbox.redeem(application, late);
  t.deepEqual([answer.status, answer.body.error], [400, 'invalid_grant']);
});

// Contract: oauth-19.refresh
test.serial('a refresh token lasts half a year without use', async (t) => {
  const { browser } = await sandbox.person();
  const application = await sandbox.application();
  const { refresh_token } = await sandbox.tokens(application, browser);
  app.clock.advance('179 days');
  const renewed = await sandbox.refresh(application, refresh_token);
  t.is(renewed.status, 200);
  app.clock.advance('180 days');
  t.is((await sandbox.refresh(application, renewed.body.refresh_token)).status, 400);
});

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { OauthSandbox } from '../auth/oauth/oauth-browser.js';
import { fillSignIn, focusIs, inBrowser, inspect, openPage } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const sandbox = new OauthSandbox(app);
const browser = useBrowser(test);

let application: Server;
let callback = '';

test.serial.before('an application that browsers come back to, and the service by its real address', async () => {
  app.services.config.externalUrl = app.url;
  application = createServer((_request, response) => response.end('Back at the application'));
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
});
test.after.always('stop the application', () => {
  application?.closeAllConnections();
  application?.close();
});

// Contract: web.consent
test.serial(
  'a person who is sent here by an application signs in, is asked in words, and allows it',
  inBrowser(async (t) => {
    const user = await userWithPassword(app, { name: 'Ada Lovelace' });
    const client = await sandbox.application({ name: 'Build monitor', redirect_uri: callback });
    const { page, complaints } = await openPage(app, browser);
    await page.goto(
      app.url + sandbox.authorizePath(client, { redirect_uri: callback, scope: 'read_api read_user', state: 'kept' }),
    );
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await fillSignIn(page, user.username);
    await page.getByRole('heading', { name: 'Authorize Build monitor to use your account?' }).waitFor();
    await page.getByText('You are signed in as Ada Lovelace').waitFor();
    t.deepEqual(
      (await page.getByRole('list', { name: 'Requested scopes' }).getByRole('listitem').allTextContents()).map((text) =>
        text.replace(/Scope.*/, ''),
      ),
      ['Read everything that you can read.', 'Read your profile and those of other users.'],
    );
    await inspect(t, page, 'consent');
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByText('Back at the application').waitFor();
    const back = new URL(page.url());
    t.is(back.origin + back.pathname, callback);
    t.is(back.searchParams.get('state'), 'kept');
    const { status, body } = await sandbox.redeem(client, back.searchParams.get('code') ?? '', {
      redirect_uri: callback,
    });
    t.is(status, 200);
    const me = await app.withHeaders({ Authorization: `Bearer ${body.access_token}` }).get('/user');
    t.is(me.body.username, user.username);
    t.deepEqual(complaints, []);
  }),
);

// Contract: web.consent
test.serial(
  'whoever says no, by the keyboard too, is sent back without a code; the request is over then',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const client = await sandbox.application({ redirect_uri: callback });
    const { page } = await openPage(app, browser);
    await page.goto(app.url + sandbox.authorizePath(client, { redirect_uri: callback }));
    await fillSignIn(page, user.username);
    const deny = page.getByRole('button', { name: 'Deny' });
    await deny.waitFor();
    const url = page.url();
    await deny.focus();
    await page.keyboard.press('Tab');
    await focusIs(t, page, 'Authorize');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Back at the application').waitFor();
    const back = new URL(page.url());
    t.is(back.searchParams.get('error'), 'access_denied');
    t.is(back.searchParams.get('code'), null);
    await page.goto(url);
    await page.getByRole('heading', { name: 'Invalid authorization request' }).waitFor();
    await page.getByText('try again').waitFor();
    await inspect(t, page, 'consent-over');
  }),
);

import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { eventually } from '../core/processes.js';
import { becomes, inBrowser, inspect, openPage, signIn } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: refused-requests.page
test.serial(
  'a refusal on a page leads to why it was refused, and an administrator learns whether it is hidden',
  inBrowser(async (t) => {
    const person = await userWithPassword(app, { name: 'Ada Lovelace' });
    const hidden = await app.build.project({ name: 'Rocket', visibility: 'private' });
    const { page } = await openPage(app, browser);
    const list = `/${hidden.full_path}/-/issues/1`;
    await signIn(page, app, person, `/users/sign_in?redirect_to=${encodeURIComponent(list)}`);
    const link = page.getByRole('link', { name: 'Why?' });
    await link.first().waitFor();
    await app.denials.written();
    await link.first().click();
    await page.getByRole('heading', { level: 1, name: 'Rejected requests' }).waitFor();
    await page
      .getByRole('heading', { name: 'What the request names does not exist, or you may not see it.' })
      .waitFor();
    await becomes(t, () => page.getByText('Hidden from the caller').count(), 0);
    await inspect(t, page, 'refused-request');
    await becomes(t, () => page.getByText('record visible').count(), 1);
    const address = new URL(page.url()).pathname;
    await page.goto(`${app.url}/-/refused_requests`);
    await page.getByRole('button', { name: 'Show reason' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await inspect(t, page, 'refused-request-id');
    await page.getByLabel('Request ID').fill(address.slice(address.lastIndexOf('/') + 1));
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}${address}`);
    await page.getByText('you', { exact: true }).waitFor();

    const admin = await userWithPassword(app, { name: 'Grace', admin: true });
    const other = await openPage(app, browser);
    await signIn(other.page, app, admin, `/users/sign_in?redirect_to=${encodeURIComponent(address)}`);
    await other.page
      .getByRole('heading', { name: 'What the request names is there, but the caller may not see it.' })
      .waitFor();
    t.true(await eventually(() => other.page.getByText('Hidden from the caller').isVisible()).then(() => true));
    await other.page.goto(`${app.url}/-/refused_requests/never-sent`);
    await other.page.getByText('Rejected requests are kept for an hour').waitFor();
  }),
);

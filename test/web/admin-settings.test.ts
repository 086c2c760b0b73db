import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import type { BuiltUser } from '../core/builders.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** A page after signing in, with the browser's clock set to the service's. */
async function arrive(user: BuiltUser, path: string) {
  const watched = await openPage(app, browser);
  await signIn(watched.page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent(path)}`);
  return watched;
}

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const save = (page: Page, name: string) => part(page, name).getByRole('button', { name: 'Save changes' }).click();

// Contract: web.admin.settings
test.serial(
  'an administrator changes settings and limits of the instance, whose secrets stay hidden; an auditor is not offered them',
  inBrowser(async (t) => {
    const admin = await userWithPassword(app, { admin: true, name: 'Root' });
    const auditor = await userWithPassword(app, { auditor: true });
    await app.set({ akismet_api_key: 'very secret' });
    const watched = await arrive(admin, '/admin/application_settings');
    const { page } = watched;
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.postDataJSON());
    });
    const tokens = part(page, 'Sessions and tokens');
    await tokens.getByText('Prefix of new deploy tokens. Default: gdt-.').waitFor();
    t.false((await page.content()).includes('very secret'));
    await inspect(t, page, 'admin-settings');
    await tokens.getByLabel('Session lifetime (minutes)').fill('soon');
    await tokens.getByLabel('Deploy token prefix').fill('deploy-');
    await save(page, 'Sessions and tokens');
    await tokens.locator('[aria-invalid=true]').waitFor();
    await becomes(t, () => tokens.getByLabel('Deploy token prefix').inputValue(), 'deploy-');
    await inspect(t, page, 'admin-settings-problem');
    await tokens.getByLabel('Session lifetime (minutes)').fill('60');
    await save(page, 'Sessions and tokens');
    await tokens.getByText('Saved.').waitFor();
    t.deepEqual(sent.at(-1), { session_expire_delay: 60, deploy_token_prefix: 'deploy-' });
    const spam = part(page, 'Spam and CAPTCHA');
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'Spam and CAPTCHA' })
      .click();
    await becomes(t, () => new URL(page.url()).hash, '#spam-and-captcha');
    t.true(await spam.getByRole('heading').evaluate((heading) => heading.getBoundingClientRect().top < 400));
    await spam.getByLabel('Word list').fill('cheap pills\nfree money');
    await save(page, 'Spam and CAPTCHA');
    await spam.getByText('Saved.').waitFor();
    t.deepEqual(sent.at(-1), { spam_wordlist: ['cheap pills', 'free money'] });
    const { body } = await app.as(admin).get('/application/settings');
    t.like(body, {
      session_expire_delay: 60,
      deploy_token_prefix: 'deploy-',
      spam_wordlist: ['cheap pills', 'free money'],
    });

    await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Limits' }).click();
    const limits = part(page, 'Limits of projects');
    await limits.getByLabel('Pipeline schedules of a project').fill('12');
    await inspect(t, page, 'admin-limits');
    await save(page, 'Limits of projects');
    await limits.getByText('Saved.').waitFor();
    t.is((await app.as(admin).get('/application/plan_limits')).body.ci_pipeline_schedules, 12);
    untroubled(t, app, watched, 1);

    const other = await arrive(auditor, '/admin/application_settings');
    await other.page.getByRole('alert').getByText('Access denied:').waitFor();
    const parts = other.page.getByRole('navigation', { name: 'Administration' });
    await becomes(t, () => parts.getByRole('link', { name: 'Limits' }).count(), 0);
    untroubled(t, app, other, 1);
  }),
);

// Contract: web.admin.health
test.serial(
  'an auditor sees probes, versions and the queue; what is wrong stands there, and who may not read probes is told which setting says so',
  inBrowser(async (t) => {
    const auditor = await userWithPassword(app, { auditor: true });
    const watched = await arrive(auditor, '/admin/health');
    const { page } = watched;
    const probes = page.getByRole('table', { name: 'Probes' });
    await probes.getByRole('row').filter({ hasText: 'Database' }).getByText('ok').waitFor();
    await part(page, 'Queue').getByText('Failed permanently').waitFor();
    await part(page, 'Versions').getByText('of the public API').waitFor();
    await inspect(t, page, 'admin-health');
    await page.route('**/-/readiness*', (route) =>
      route.fulfill({
        status: 503,
        json: { status: 'failed', db_check: [{ status: 'failed', message: 'The database did not answer.' }] },
      }),
    );
    await page.reload();
    await probes.getByText('The database did not answer.').waitFor();
    await page.unrouteAll();
    await app.set({ monitoring_allowlist: [] });
    await page.reload();
    await page.getByText("Your IP address can't read probes").waitFor();
    const { complaints } = watched;
    untroubled(t, app, { ...watched, complaints: complaints.filter((text) => !text.includes('Failed to load')) });
  }),
);

import test from 'ava';
import { sampleQueues } from '../../shared/instance/pg-boss/queue-series.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { flakyQueue } from './admin-jobs-sandbox.js';
import { becomes, inBrowser, inspect, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// The queue's times are the database's.
test.serial.before('set the clock', () => app.clock.set(new Date().toISOString()));

// Contract: jobs-page.found
test.serial(
  'a job that really failed is found, read and understood',
  inBrowser(async (t) => {
    const queue = await flakyQueue(t, app, 'test.mirror');
    const admin = await userWithPassword(app, { name: 'Ada Lovelace', admin: true });
    const group = await app.build.group();
    const project = await app.build.project({ owner: group.owner, name: 'Rocket' });
    const _ctx = { user: group.owner.username, project: project.full_path, caller_id: 'test', correlation_id: 'abc' };
    app.clock.set(new Date(Date.now() - 120_000).toISOString());
    await sampleQueues(app.context());
    const id = await queue.send({ n: 1, password: 'canary-of-a-secret', _ctx });
    await queue.comesTo(id, 'failed');
    app.clock.set(new Date().toISOString());
    await sampleQueues(app.context());
    const watched = await browser.open();
    const { page } = watched;
    await signIn(page, app, admin);
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page.getByRole('link', { name: 'Background jobs' }).click();
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
    const row = page.getByRole('table', { name: 'Queues' }).getByRole('row').filter({ hasText: 'test.mirror' });
    await row.getByRole('img', { name: 'test.mirror in the last hour: 0 done, 1 failed' }).waitFor();
    const figures = page.getByRole('main').locator('dl').first();
    await becomes(t, () => figures.textContent(), /Failed permanently1Failed, last hour1Oldest waiting.*Processes1/);
    await inspect(t, page, 'jobs-overview');
    await row.getByRole('link', { name: '1 job of test.mirror failed' }).click();
    await page.getByRole('heading', { name: 'test.mirror' }).waitFor();
    const jobs = page.getByRole('table', { name: 'Jobs, failed' });
    await jobs.getByText('the mirror 1 is unreachable').waitFor();
    await inspect(t, page, 'jobs-queue');
    await jobs.getByRole('link', { name: `Job ${id}` }).click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    await page.getByRole('region', { name: 'Stack of attempt 1' }).getByText('RangeError').waitFor();
    for (const name of [group.owner.username, project.full_path])
      await becomes(t, () => page.getByRole('link', { name, exact: true }).getAttribute('href'), `/${name}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the job as JSON' }).click();
    await page.getByText('Copied').waitFor();
    const copied = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()')) as object;
    t.like(copied, { id, queue: 'test.mirror', state: 'failed', args: { n: 1, password: '[FILTERED]' } });
    t.false((await page.content()).includes('canary-of-a-secret'));
    await inspect(t, page, 'jobs-job');
    for (const [name, heading, picture] of [
      ['Recurring', 'Recurring jobs', 'jobs-recurring'],
      ['Processes', 'Processes', 'jobs-processes'],
      ['All jobs', 'All jobs', 'jobs-all'],
      ['Log', 'Action log', 'jobs-log'],
    ] as const) {
      await page.getByRole('navigation', { name: 'Parts' }).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.getByText('Updated').waitFor();
      await inspect(t, page, picture);
    }
    untroubled(t, app, watched);
  }),
);

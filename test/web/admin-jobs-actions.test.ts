import test from 'ava';
import { sql } from 'kysely';
import { handlers } from '../../workers/domains.js';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { eventually } from '../core/processes.js';
import { userWithPassword } from '../core/signed-in.js';
import { startWorker } from '../instance/queue-jobs/workers.js';
import { flakyQueue, idleQueue } from './admin-jobs-sandbox.js';
import { becomes, focusIs, inBrowser, inspect, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// The queue's times are the database's.
test.serial.before('set the clock', () => app.clock.set(new Date().toISOString()));

const asAdmin = async () => {
  const admin = await userWithPassword(app, { name: 'Ada Lovelace', admin: true });
  const watched = await browser.open();
  await signIn(watched.page, app, admin);
  return { ...watched, watched, admin };
};

// Contract: jobs-page.retry
test.serial(
  'a failed job is retried on its page, which shows by itself that it succeeds',
  inBrowser(async (t) => {
    const queue = await flakyQueue(t, app, 'test.retry');
    const id = await queue.send({ n: 1 });
    await queue.comesTo(id, 'failed');
    const { page, watched } = await asAdmin();
    await page.goto(`${app.url}/admin/jobs/${id}`);
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByText('the mirror 1 is unreachable').waitFor();
    queue.broken = false;
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Job queued for retry.').waitFor();
    await focusIs(t, page, 'Job queued for retry.');
    await attempts.getByText('completed').waitFor();
    t.is(await queue.stateOf(id), 'completed');
    await becomes(t, () => attempts.getByRole('rowheader').allTextContents(), ['2', '1']);
    await becomes(t, () => page.getByRole('button', { name: 'Retry' }).count(), 0, 'what is done is not tried again');
    await inspect(t, page, 'jobs-job-retried');
    await page.getByRole('button', { name: 'Delete' }).click();
    const ask = page.getByRole('alertdialog', { name: 'Delete this job of test.retry?' });
    await ask.waitFor();
    await inspect(t, page, 'jobs-job-delete');
    await ask.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`Job ${id} was deleted.`).waitFor();
    t.is(await queue.stateOf(id), undefined);
    untroubled(t, app, watched);
  }),
);

// Contract: jobs-page.cancel
test.serial(
  'a waiting job is cancelled, and resumed',
  inBrowser(async (t) => {
    const queue = await idleQueue(app, 'test.cancel');
    const id = await queue.send({ n: 1 });
    const { page, watched } = await asAdmin();
    await page.goto(`${app.url}/admin/jobs/${id}`);
    await page.getByText('No attempts yet.').waitFor();
    await page.getByRole('button', { name: 'Cancel job' }).click();
    const ask = page.getByRole('alertdialog');
    await ask.getByRole('button', { name: 'Cancel job' }).click();
    await page.getByText('Job cancelled.', { exact: true }).waitFor();
    t.is(await queue.stateOf(id), 'cancelled');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Job resumed.').waitFor();
    t.is(await queue.stateOf(id), 'created');
    untroubled(t, app, watched);
  }),
);

// Contract: jobs-page.pause
test.serial(
  'a queue is paused with a reason, which everybody reads, and resumed',
  inBrowser(async (t) => {
    const queue = await flakyQueue(t, app, 'test.pause');
    queue.broken = false;
    const { page, watched, admin } = await asAdmin();
    await page.goto(`${app.url}/admin/jobs/queues/test.pause`);
    const pause = page.getByRole('button', { name: 'Pause queue' });
    await pause.click();
    const ask = page.getByRole('dialog', { name: 'Pause test.pause?' });
    await ask.waitFor();
    await focusIs(t, page, 'Reason');
    await inspect(t, page, 'jobs-pause');
    await page.keyboard.press('Escape');
    await ask.waitFor({ state: 'detached' });
    await focusIs(t, page, 'Pause queue', 'the focus returns');
    await pause.click();
    await ask.getByLabel('Reason').fill('the remote host is being moved');
    await page.keyboard.press('Enter');
    await page.getByText('test.pause was paused.').waitFor();
    await page.getByText(`paused by ${admin.username}`).waitFor();
    await page.getByText(': the remote host is being moved').waitFor();
    await inspect(t, page, 'jobs-paused');
    await page.goto(`${app.url}/admin/jobs`);
    const row = page.getByRole('table', { name: 'Queues' }).getByRole('row').filter({ hasText: 'test.pause' });
    await row.getByText('paused', { exact: true }).waitFor();
    await row.getByRole('link', { name: 'test.pause' }).click();
    const id = await queue.send({ n: 1 });
    await page.getByRole('link', { name: 'Waiting 1' }).click();
    await page
      .getByRole('table', { name: 'Jobs, waiting' })
      .getByRole('link', { name: `Job ${id}` })
      .waitFor();
    t.is(await queue.stateOf(id), 'created');
    await page.getByRole('button', { name: 'Resume queue' }).click();
    await page.getByText('test.pause was resumed.').waitFor();
    await queue.comesTo(id, 'completed');
    await page.goto(`${app.url}/admin/jobs/log`);
    const log = page.getByRole('table', { name: 'Actions' });
    await log.getByText('Paused queue test.pause: the remote host is being moved').waitFor();
    await log.getByText('Resumed queue test.pause').waitFor();
    await inspect(t, page, 'jobs-log');
    untroubled(t, app, watched);
  }),
);

// Contract: jobs-page.bulk
test.serial(
  'some of the failed jobs are chosen and retried together; the list does not move meanwhile',
  inBrowser(async (t) => {
    const queue = await flakyQueue(t, app, 'test.bulk');
    const ids = [await queue.send({ n: 1 }), await queue.send({ n: 2 }), await queue.send({ n: 3 })];
    for (const id of ids) await queue.comesTo(id, 'failed');
    const { page, watched } = await asAdmin();
    await page.goto(`${app.url}/admin/jobs/queues/test.bulk?state=failed`);
    const table = page.getByRole('table', { name: 'Jobs, failed' });
    const checkbox = (index: number) => table.getByRole('checkbox', { name: `Select job ${ids[index]}` });
    await checkbox(0).check();
    await checkbox(2).check();
    await page.getByText('2 jobs selected').waitFor();
    await page.getByText('Paused while jobs are selected').waitFor();
    await inspect(t, page, 'jobs-chosen');
    queue.broken = false;
    await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('alertdialog', { name: 'Retry 2 jobs?' }).getByRole('button', { name: 'Retry' }).click();
    await page.getByText('2 jobs retried.').waitFor();
    await queue.comesTo(ids[0] as string, 'completed');
    await queue.comesTo(ids[2] as string, 'completed');
    t.is(await queue.stateOf(ids[1] as string), 'failed');
    await eventually(async () => (await table.getByRole('checkbox').count()) === 1);
    await page.getByText(/^Updated/).waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: jobs-page.bulk-stale
test.serial(
  'where many of those that matched are gone meanwhile nothing is done, and the list is looked at again',
  inBrowser(async (t) => {
    const queue = await idleQueue(app, 'test.stale');
    const ctx = app.context();
    await ctx.transaction(() =>
      ctx.jobs.sendAll(
        queue.kind,
        Array.from({ length: 60 }, (_none, n) => ({ n })),
      ),
    );
    const { page, watched, admin } = await asAdmin();
    await page.goto(`${app.url}/admin/jobs/queues/test.stale?state=created`);
    await page.getByRole('checkbox', { name: 'Select all 50 shown' }).check();
    await page.getByRole('button', { name: 'Select all 60 that match' }).click();
    const listed = await app.as(admin).get('/admin/jobs?queue=test.stale&per_page=20');
    const ids = (listed.body as { id: string }[]).map(({ id }) => id);
    t.is((await app.as(admin).post('/admin/jobs/bulk', { action: 'delete', ids })).status, 200);
    await page.getByRole('button', { name: 'Cancel all' }).click();
    const ask = page.getByRole('alertdialog', { name: 'Cancel 60 jobs?' });
    await ask.getByRole('button', { name: 'Cancel jobs' }).click();
    await ask.getByRole('alert').getByText('The filter finds 40 jobs now, not about 60: look again.').waitFor();
    await inspect(t, page, 'jobs-bulk-stale');
    await ask.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Select all 40 shown' }).waitFor();
    await becomes(t, () => page.getByRole('table').getByRole('checkbox', { checked: true }).count(), 0);
    await page.getByRole('link', { name: 'Waiting 40' }).waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: jobs-page.bulk-filter
test.serial(
  'all that match a filter are cancelled by a job of its own, whose progress is shown and found again',
  inBrowser(async (t) => {
    const queue = await idleQueue(app, 'test.backlog');
    const other = await userWithPassword(app);
    const unmatched = await queue.send({ n: 0 });
    const ctx = app.build.contextOf(other);
    await ctx.transaction(() =>
      ctx.jobs.sendAll(
        queue.kind,
        Array.from({ length: 620 }, (_none, n) => ({ n })),
      ),
    );
    const { page, watched } = await asAdmin();
    await page.goto(`${app.url}/admin/jobs/queues/test.backlog?state=created`);
    await page.getByLabel('User').fill(other.username);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL((url) => url.searchParams.get('user') === other.username);
    await page.getByRole('link', { name: 'Older' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all 50 shown' }).check();
    await page.getByRole('button', { name: 'Select all 620 that match' }).click();
    await page.getByText('All 620 jobs that match are selected').waitFor();
    await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Cancel all' }).click();
    const ask = page.getByRole('alertdialog', { name: 'Cancel 620 jobs?' });
    await ask.getByRole('button', { name: 'Cancel jobs' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByText('Cancelling: 0 of 620').waitFor();
    await inspect(t, page, 'jobs-bulk');
    await page.reload();
    await page.getByRole('progressbar').waitFor();
    await startWorker(
      t,
      app,
      handlers.filter(({ kind }) => kind.name === 'queue_jobs.bulk'),
    );
    await page.getByText('620 jobs cancelled.').waitFor();
    t.is(await queue.stateOf(unmatched), 'created', 'what did not match stays');
    await page.getByText('No job in this state matches the filter.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    t.false(page.url().includes('bulk='));
    untroubled(t, app, watched);
  }),
);

// Contract: jobs-page.bulk-stop
test.serial(
  'an action on all that match is stopped before its end',
  inBrowser(async (t) => {
    const queue = await idleQueue(app, 'test.stopped');
    const first = await queue.send({ n: 0 });
    const ctx = app.context();
    await ctx.transaction(() =>
      ctx.jobs.sendAll(
        queue.kind,
        Array.from({ length: 520 }, (_none, n) => ({ n })),
      ),
    );
    const { page, watched } = await asAdmin();
    await page.goto(`${app.url}/admin/jobs/queues/test.stopped?state=created`);
    await page.getByRole('link', { name: 'Older' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all 50 shown' }).check();
    await page.getByRole('button', { name: 'Select all 521 that match' }).click();
    await page.getByRole('group', { name: 'Selection' }).getByRole('button', { name: 'Delete all' }).click();
    const ask = page.getByRole('alertdialog', { name: 'Delete 521 jobs?' });
    await ask.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleting: 0 of 521').waitFor();
    await inspect(t, page, 'jobs-bulk-stop');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped: 0 jobs deleted.').waitFor();
    await inspect(t, page, 'jobs-bulk-stopped');
    await startWorker(
      t,
      app,
      handlers.filter(({ kind }) => kind.name === 'queue_jobs.bulk'),
    );
    const open = sql`
      select 1 from pgboss.job j where j.name = 'queue_jobs.bulk' and j.state in ('created', 'retry', 'active')`;
    await eventually(async () => (await app.services.db.query(open)).length === 0);
    t.is(await queue.stateOf(first), 'created', 'the job that was to do it leaves all alone');
    untroubled(t, app, watched);
  }),
);

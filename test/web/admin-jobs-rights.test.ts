import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { signIn as sessionFor, userWithPassword } from '../core/signed-in.js';
import { flakyQueue } from './admin-jobs-sandbox.js';
import { becomes, inBrowser, inspect, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);
const PATHS = [
  '',
  '/all',
  '/recurring',
  '/processes',
  '/log',
  '/queues/groups.delete',
  '/00000000-0000-4000-8000-000000000000',
];

// The queue's times are the database's.
test.serial.before('set the clock', () => app.clock.set(new Date().toISOString()));

// Contract: jobs-page.not-found
test.serial('the server has these pages for administrators and auditors, and for others none', async (t) => {
  const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const getCookie = async (user: { id: number }) => ({ Cookie: (await sessionFor(app, user)).cookie });
  const ordinary = await getCookie(await app.build.user());
  const external = await getCookie(await app.build.user({ external: true }));
  const admin = await getCookie(await app.build.admin());
  const auditor = await getCookie(await app.build.user({ auditor: true }));
  for (const path of PATHS.map((below) => `/admin/jobs${below}`)) {
    const status = async (cookie: object) => (await app.withHeaders({ ...html, ...cookie }).raw('GET', path)).status;
    t.deepEqual(
      [await status(admin), await status(auditor), await status(ordinary), await status(external)],
      [200, 200, 404, 404],
      path,
    );
    t.is(await status({}), 200, 'who is not signed in is asked to');
  }
});

// Contract: jobs-page.not-found
test.serial(
  'who is neither finds no such page, by address or by signing in on the way, and no link to it',
  inBrowser(async (t) => {
    const user = await userWithPassword(app);
    const watched = await browser.open();
    const { page, requests } = watched;
    await signIn(page, app, user, '/admin/jobs');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await becomes(t, () => page.getByRole('link', { name: 'Admin', exact: true }).count(), 0);
    await page.goto(`${app.url}/admin/jobs/log`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    t.false(
      requests.some((url) => url.includes('/api/v4/admin/')),
      'nothing of it is asked for',
    );
    // The page that is not there.
    untroubled(t, app, watched, 1);
  }),
);

// Contract: jobs-page.auditor
test.serial(
  'auditors see everything and are offered nothing to do',
  inBrowser(async (t) => {
    const queue = await flakyQueue(t, app, 'test.audited');
    const id = await queue.send({ n: 1 });
    await queue.comesTo(id, 'failed');
    const auditor = await userWithPassword(app, { name: 'Grace Hopper', auditor: true });
    const watched = await browser.open();
    const { page } = watched;
    await signIn(page, app, auditor, '/admin/jobs');
    await page.getByRole('table', { name: 'Queues' }).getByRole('link', { name: 'test.audited' }).first().click();
    const jobs = page.getByRole('table', { name: 'Jobs, failed' });
    await jobs.getByText('the mirror 1 is unreachable').waitFor();
    const nothingToDo = async (where: string) => {
      const doing = page
        .getByRole('main')
        .getByRole('button', { name: /(pause|resume)(?! updates)|retry|cancel|delete|run/i });
      await becomes(t, () => doing.count(), 0, where);
      await becomes(t, () => page.getByRole('main').getByRole('checkbox').count(), 0, where);
    };
    await nothingToDo('queue');
    await inspect(t, page, 'jobs-queue-auditor');
    await jobs.getByRole('link', { name: `Job ${id}` }).click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    await nothingToDo('job');
    for (const [path, table] of [
      ['recurring', 'Recurring jobs'],
      ['processes', 'Processes'],
      ['all', 'Jobs, failed'],
    ] as const) {
      await page.goto(`${app.url}/admin/jobs/${path}`);
      await page.getByRole('table', { name: table }).waitFor();
      await nothingToDo(path);
    }
    await page.goto(`${app.url}/admin/jobs/log`);
    await page.getByText(/No actions yet/).waitFor();
    untroubled(t, app, watched);
  }),
);

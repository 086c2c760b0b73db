import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { eventually } from '../core/processes.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, settled, signIn, untroubled } from './person.js';
import { getPath } from '../ci/pipeline-schedules/schedule-steps.js';
import { thirtyRuns } from './schedule-runs.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.schedules, web.schedules.bulk
test.serial(
  'a person finds schedules by their words and their last run, and pauses several at once, told what is refused and why',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const [nightly] = [
      await app.build.schedule({ project, owner, description: 'Nightly build', cron: '30 2 * * *' }),
      await app.build.schedule({
        project,
        owner,
        description: 'Weekly report',
        cron: '0 8 * * 1',
        cron_timezone: 'Europe/Berlin',
      }),
    ];
    const other = await app.build.project({ name: 'Lander' });
    await app.build.member(other, 'developer', owner);
    await app.build.schedule({
      project: other,
      owner: other.owner,
      description: 'Of somebody else',
      cron: '0 5 * * *',
    });
    await thirtyRuns(app, nightly!);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent('/schedules')}`);
    const table = page.getByRole('table', { name: 'Schedules' });
    await table.getByText('At 02:30', { exact: true }).waitFor();
    await table.getByRole('img', { name: /^30 runs: \d+ on time/ }).waitFor();
    await table.getByText('Europe/Berlin').waitFor();
    const row = table.getByRole('row', { name: /Nightly build/ });
    await row.getByText('at most 45.0 s').waitFor();
    await row.getByText(/^\w{3} \d+ \w{3}, 02:30$/).waitFor();
    await inspect(t, page, 'schedules');
    await page.getByLabel('Select all 3 shown').check();
    await page.getByText('3 schedules chosen').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('2 schedules paused. 1 schedule not changed:').waitFor();
    const rejections = page.getByRole('list', { name: 'Not changed' }).getByRole('listitem');
    await becomes(
      t,
      () => rejections.innerText(),
      /^Of somebody else: only the owner can change it; a Maintainer can take ownership/,
    );
    await table.getByText('paused').nth(1).waitFor();
    await becomes(t, () => table.getByText('paused').count(), 2);
    await inspect(t, page, 'schedules-refused');
    await page.getByLabel('Description').fill('nightly');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/\?search=nightly$/);
    await focusIs(t, page, 'Filter', 'the focus stays where somebody works');
    await eventually(async () => (await table.getByRole('rowheader').count()) === 1);
    await page.goto(`${app.url}/${project.full_path}/-/pipeline_schedules?last=missed`);
    await page.getByText('No schedules match the filter.').waitFor();
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.schedules
test.serial(
  'ten thousand schedules scroll with a few drawn at a time, and only those near the screen are asked for again',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const one = await app.build.schedule({ project, owner, description: 'Nightly build' });
    await app.context().query(sql`
      insert into pipeline_schedules (project_id, owner_id, description, ref, cron, cron_timezone, active, next_run_at,
                                      created_at, updated_at)
      select s.project_id, s.owner_id, 'Schedule ' || i, s.ref, s.cron, s.cron_timezone, true, s.next_run_at, now(), now()
        from pipeline_schedules s, generate_series(1, 10000) i where s.id = ${one.id}`);
    const watched = await openPage(app, browser);
    const { page } = watched;
    const url = `/${project.full_path}/-/pipeline_schedules`;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(url)}`);
    await page.getByText('Nightly build').waitFor();
    for (const loaded of [150, 250, 350, 450, 550, 650]) {
      const chooseAll = page.getByText(`Select all ${loaded} shown`);
      // Rows are higher than was estimated once they are drawn: the end moves down while one scrolls.
      await eventually(async () => {
        await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
        return chooseAll.isVisible();
      });
    }
    t.true((await page.getByRole('row').count()) < 60, 'rows beyond the screen are not drawn');
    await settled(page);
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/v4/pipeline_schedules') requests.push(searchParams.get('cursor') ?? 'the first page');
    });
    const row = page.getByRole('link', { name: /^Schedule \d+$/ }).nth(5);
    const gone = await row.innerText();
    const [schedule] = await app
      .context()
      .query<{ id: number }>(sql`select id from pipeline_schedules where description = ${gone}`);
    const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: gone, exact: true }) });
    const api = app.as(owner);
    await api.put(getPath(project, `/${one.id}`), { description: 'Changed at the top' });
    await api.delete(getPath(project, `/${schedule?.id}`));
    await rows.waitFor({ state: 'detached' });
    await settled(page);
    // Once or twice: the two changes may be notified separately.
    const pages = new Set(requests);
    t.true(pages.size > 0 && pages.size <= 4 && !pages.has('the first page'), `asked for ${[...pages].join(', ')}`);
    await page.evaluate('window.scrollTo(0, 0)');
    await page.getByText('Changed at the top').waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.schedule-form, web.schedule, web.schedule.changes
test.serial(
  'a person makes a schedule by hand, plays it, breaks its branch, sees why it failed, and mends it',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const url = `/${project.full_path}/-/pipeline_schedules`;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(url)}`);
    await page.getByText('No schedules yet.').waitFor();
    await page.getByRole('link', { name: 'New schedule' }).nth(1).waitFor();
    await inspect(t, page, 'schedules-empty');
    await page.getByRole('link', { name: 'New schedule' }).first().click();
    // The list's filter has a field of the same name.
    await page.getByRole('heading', { name: 'New schedule' }).waitFor();
    await page.getByLabel('Description').fill('Nightly build');
    await page.getByLabel('How often').selectOption('Monday to Friday');
    await page.getByText('At 02:30, Monday through Friday').waitFor();
    const cron = page.getByLabel('Cron');
    await becomes(t, () => cron.inputValue(), '30 2 * * 1-5');
    await page.getByLabel('How often').selectOption('On days of the week');
    await page.getByLabel('Thursday').check();
    await becomes(t, () => cron.inputValue(), '30 2 * * 1,4');
    await page.getByLabel('How often').selectOption('Every month');
    await page.getByLabel('On day').fill('15');
    await becomes(t, () => cron.inputValue(), '30 2 15 * *');
    await page.getByLabel('How often').selectOption('Every hour');
    await page.getByLabel('At minute').fill('7');
    await becomes(t, () => cron.inputValue(), '7 * * * *');
    await cron.fill('61 * * * *');
    await page.getByText(/minute: "61" cannot be read/).waitFor();
    await cron.fill('30 2 * * *');
    await page.getByLabel('Time zone').fill('new york');
    await page.getByRole('button', { name: 'America/New_York' }).waitFor();
    await page.getByLabel('Time zone').fill('berlin');
    await page.getByRole('button', { name: 'Europe/Berlin' }).click();
    await page.getByText('Current time: 01:00, UTC+01:00.').waitFor();
    await page.getByText('At 02:30', { exact: true }).waitFor();
    await page.getByText(/^If the service is down from before .* until after /).waitFor();
    await page.getByText(/runs after recovery; .* are recorded as missed\.$/).waitFor();
    await page.getByLabel('Run none').check();
    await page.getByText(/None of the three run/).waitFor();
    await page.getByRole('button', { name: 'Add variable' }).click();
    await page.getByLabel('Key 1').fill('LEVEL');
    await page.getByLabel('as a file').check();
    await page.getByLabel('Value 1').fill('full\nand more');
    await page.getByRole('button', { name: 'Add variable' }).click();
    await page.getByLabel('Key 2').fill('LEVEL');
    await page.getByText('Key 2 already exists.').waitFor();
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByText('has already been taken').waitFor();
    await page.getByRole('button', { name: 'Remove variable LEVEL' }).nth(1).click();
    await page.getByLabel('Description').fill('Nightly build');
    await inspect(t, page, 'schedule-form');
    await becomes(t, () => page.getByLabel('Branch or tag').inputValue(), 'main');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page.getByRole('heading', { name: 'Nightly build' }).waitFor();
    await page.getByRole('table', { name: 'Variables' }).getByText('LEVEL').waitFor();
    await page.getByText('No scheduled runs yet.').waitFor();
    await page.getByRole('button', { name: 'Play now' }).click();
    await page.getByText('Starting. The pipeline will appear below.').waitFor();
    await app.work();
    await page.reload();
    await page.getByText('started manually').first().waitFor();
    await page
      .getByRole('table', { name: /^Pipelines/ })
      .getByText('pending')
      .waitFor();
    const [schedule] = (await app.as(owner).get(`/projects/${project.id}/pipeline_schedules`)).body;
    await thirtyRuns(app, { id: schedule.id, project_id: project.id });
    await page.reload();
    await page.getByRole('table', { name: /^Scheduled runs/ }).waitFor();
    await inspect(t, page, 'schedule');
    await page.getByLabel('Due', { exact: true }).selectOption('Last hour');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/\?last=hour$/);
    const listed = page.getByRole('table', { name: /^Scheduled runs/ }).getByRole('rowheader');
    await eventually(async () => (await listed.count()) < 5);
    await page.getByLabel('Outcome').selectOption('failed');
    await page.getByLabel('Due', { exact: true }).selectOption('Any time');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/\?outcome=failed$/);
    await page.getByText('The branch main does not exist.').first().waitFor();
    const marks = page.getByRole('list', { name: 'Scheduled runs, oldest first' }).getByRole('link');
    await becomes(t, () => marks.and(page.locator('[tabindex="0"]')).count(), 1, 'one mark is reached by Tab');
    await page
      .getByRole('table', { name: /^Scheduled runs/ })
      .getByRole('link')
      .first()
      .click();
    await page.waitForURL(/\?moment=/);
    await page.getByText('Local time').waitFor();
    await page.getByRole('button', { name: 'Copy link to this run' }).waitFor();
    await inspect(t, page, 'schedule-moment');
    await page.goto(`${app.url}${url}/${schedule.id}?moment=2029-01-01T00:00:00Z`);
    await page.getByText(/^No run was scheduled for Jan 1, 2029/).waitFor();
    await becomes(t, () => page.getByRole('button', { name: 'Copy link to this run' }).count(), 0);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    // Until then the previous page is shown, with marks of runs whose branch no longer exists.
    await page.getByRole('heading', { name: 'Edit schedule' }).waitFor();
    await page.getByLabel('Branch or tag').fill('gone');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/There is no branch or tag "?gone"?/).waitFor();
    await page.getByLabel('Branch or tag').fill('main');
    await page.getByLabel('Description').fill('Nightly build, mended');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Nightly build, mended' }).waitFor();
    const { body } = await app.as(owner).get(`/projects/${project.id}/pipeline_schedules/${schedule.id}`);
    t.like(body, { ref: 'refs/heads/main', missed_policy: 'skip', cron_timezone: 'Europe/Berlin' });
    t.like(body.variables[0], { key: 'LEVEL', value: 'full\nand more', variable_type: 'file' });
    const variables = page.getByRole('table', { name: 'Variables' });
    await becomes(t, () => variables.getByText('and more').count(), 0, 'values are hidden until somebody asks');
    await page.getByRole('button', { name: 'Show values' }).click();
    await variables.getByText('and more').waitFor();
    const changes = page.getByRole('table', { name: /^Changes/ });
    await changes.getByText('Changed description from "Nightly build" to "Nightly build, mended"').waitFor();
    await changes.getByText('Added variable LEVEL').waitFor();
    await becomes(t, () => changes.getByText('Ada Lovelace').count(), 3);
    await page.getByRole('button', { name: 'Pause' }).click();
    await changes.getByText('Deactivated pipeline schedule Nightly build, mended').waitFor();
    await inspect(t, page, 'schedule-changes');
    await app.set({ ci_pipeline_schedules: 1 });
    await page.goto(`${app.url}${url}/new`);
    await page.getByLabel('Description').fill('One more');
    await page.getByLabel('Branch or tag').fill('main');
    await page.getByRole('button', { name: 'Create schedule' }).click();
    await page
      .getByText('Request rejected: Maximum number of ci pipeline schedules (1) exceeded', { exact: true })
      .waitFor();
    await app.set({ ci_pipeline_schedules: 10 });
    // The preview of the bad cron, two variables of one key, the branch that is not there, and the limit.
    untroubled(t, app, watched, 4);
  }),
);

// Contract: web.schedule-form.meanwhile
test.serial(
  'the second of two editors is told what the first one saved, and chooses',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const schedule = await app.build.schedule({ owner, description: 'Nightly build' });
    const { project } = schedule;
    const path = `/projects/${project.id}/pipeline_schedules/${schedule.id}`;
    const url = `/${project.full_path}/-/pipeline_schedules/${schedule.id}/edit`;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(url)}`);
    await page.getByLabel('Description').fill('Mine');
    await page.getByRole('button', { name: 'Add variable' }).click();
    await page.getByLabel('Key 1').fill('MINE');
    app.clock.advance('1 minute');
    const variables = [{ key: 'THEIRS', value: 'kept' }];
    await app.as(owner).put(path, { description: 'Theirs', cron: '7 3 * * *', active: false, variables });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This schedule was changed while you were editing it.').waitFor();
    const different = page.getByRole('table', { name: 'Conflicting changes' });
    await different.getByText('Theirs', { exact: true }).waitFor();
    await becomes(t, () => different.getByRole('row', { name: /^Description/ }).innerText(), /your value/);
    await becomes(t, () => different.getByRole('row', { name: /^Cron/ }).innerText(), /7 3 \* \* \*[^]*saved value/);
    await becomes(t, () => different.getByRole('row', { name: /^Active/ }).innerText(), /no[^]*yes[^]*saved value/);
    await becomes(t, () => different.getByRole('row', { name: /^Variable THEIRS/ }).innerText(), /kept[^]*not set/);
    await inspect(t, page, 'schedule-form-meanwhile');
    t.is((await app.as(owner).get(path)).body.description, 'Theirs');
    await becomes(t, () => page.getByLabel('Description').inputValue(), 'Mine');
    await page.getByRole('button', { name: 'Save my changes' }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    const { body } = await app.as(owner).get(path);
    t.like(body, { description: 'Mine', cron: '7 3 * * *', active: false });
    t.deepEqual(
      (body.variables as { key: string }[]).map(({ key }) => key).toSorted(),
      ['MINE', 'THEIRS'],
      'what only the other one changed stays',
    );
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.schedule.changes
test.serial(
  'who is no Maintainer sees on the page of a schedule what they changed themselves, or is not asked for',
  inBrowser(async (t) => {
    const [developer, reporter] = [await userWithPassword(app), await userWithPassword(app)];
    const project = await app.build.project({ name: 'Rocket' });
    await app.build.member(project, 'developer', developer);
    await app.build.member(project, 'reporter', reporter);
    const schedule = await app.build.schedule({ project, owner: project.owner, description: 'Nightly build' });
    const url = `/${project.full_path}/-/pipeline_schedules/${schedule.id}`;
    const from = `/users/sign_in?redirect_to=${encodeURIComponent(url)}`;
    const first = await openPage(app, browser);
    await signIn(first.page, app, developer, from);
    await first.page.getByRole('heading', { name: 'Your changes' }).waitFor();
    await first.page.getByText("You haven't made any changes. Maintainers can see everyone's changes.").waitFor();
    untroubled(t, app, first);
    const second = await openPage(app, browser);
    await signIn(second.page, app, reporter, from);
    await second.page.getByText('No pipelines yet.').waitFor();
    await becomes(t, () => second.page.getByRole('heading', { name: /chang/i }).count(), 0);
    t.false(second.requests.some((requestPath) => requestPath.includes('/audit_events')));
    untroubled(t, app, second);
  }),
);

// Contract: web.schedule-form
test.serial(
  'who may not make or edit a schedule is told so before they type, and a Maintainer takes it over on the way',
  inBrowser(async (t) => {
    const [maintainer, reporter] = [await userWithPassword(app), await userWithPassword(app)];
    const project = await app.build.project({ name: 'Rocket' });
    await app.build.member(project, 'maintainer', maintainer);
    await app.build.member(project, 'reporter', reporter);
    const schedule = await app.build.schedule({ project, owner: project.owner, description: 'Nightly build' });
    const url = `/${project.full_path}/-/pipeline_schedules`;
    const first = await openPage(app, browser);
    await signIn(first.page, app, reporter, `/users/sign_in?redirect_to=${encodeURIComponent(url)}`);
    await first.page.getByText('Nightly build').waitFor();
    await becomes(t, () => first.page.getByRole('link', { name: 'New schedule' }).count(), 0);
    await first.page.goto(`${app.url}${url}/new`);
    await first.page.getByText('You need at least the Developer role to create schedules.').waitFor();
    await becomes(t, () => first.page.getByLabel('Cron').count(), 0);
    untroubled(t, app, first);
    const second = await openPage(app, browser);
    const edit = `${url}/${schedule.id}/edit`;
    await signIn(second.page, app, maintainer, `/users/sign_in?redirect_to=${encodeURIComponent(edit)}`);
    await second.page.getByText('Only the owner can edit a schedule').waitFor();
    await inspect(t, second.page, 'schedule-not-yours');
    await second.page.getByRole('button', { name: 'Take ownership' }).click();
    await becomes(t, () => second.page.getByLabel('Description').inputValue(), 'Nightly build');
    untroubled(t, app, second);
  }),
);

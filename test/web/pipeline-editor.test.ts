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

const FILE = '.gitlab-ci.yml';

interface TestProject {
  id: number;
  full_path: string;
  owner: BuiltUser;
}

const editor = (page: Page) => page.getByRole('textbox', { name: `Text of ${FILE}` });
const table = (page: Page, name: string) => page.getByRole('table', { name, exact: true });
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views of the configuration' }).getByRole('link', { name, exact: true });

async function open(page: Page, { full_path: path }: TestProject, user: BuiltUser): Promise<void> {
  const address = `/${path}/-/ci/editor`;
  await signIn(page, app, user, `/users/sign_in?redirect_to=${encodeURIComponent(address)}`);
  await page.getByRole('heading', { name: 'Pipeline editor', level: 1 }).waitFor();
}

/** Run in the page: pastes a text into the editor. */
const getPaste = (text: string) => `(() => {
  const [host] = [...document.querySelectorAll('main div')].filter(({ shadowRoot }) => shadowRoot !== null);
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', ${JSON.stringify(text)});
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  host.shadowRoot.querySelector('.cm-content').dispatchEvent(event);
})()`;

/** Replaces the text in the editor. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.evaluate(getPaste(text));
}

const readFile = async ({ id, owner }: TestProject, ref = 'main'): Promise<string> =>
  (await app.as(owner).get(`/projects/${id}/repository/files/${encodeURIComponent(FILE)}/raw?ref=${ref}`)).text;

async function commitFile({ id, owner }: TestProject, content: string, action = 'create'): Promise<void> {
  const { status, text } = await app.as(owner).post(`/projects/${id}/repository/commits`, {
    branch: 'main',
    commit_message: 'Configure',
    actions: [{ action, file_path: FILE, content }],
  });
  if (status !== 201) throw new Error(text);
}

const NIGHTLY = [
  'stages: [prepare, check]',
  'night:',
  '  stage: check',
  '  script: make soak',
  '  rules:',
  '    - if: $CI_PIPELINE_SOURCE == "schedule"',
  'compile:',
  '  stage: prepare',
  '  script: make',
].join('\n');

// Contract: web.pipeline-editor
test.serial(
  'a person begins with the example, sees an error at its line, corrects it, dry-runs it as a schedule and commits it',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await open(page, project, owner);
    await page.getByRole('link', { name: 'Pipeline editor' }).waitFor();
    await page.getByText(`There is no ${FILE} on main.`).waitFor();
    await inspect(t, page, 'pipeline-editor-empty');
    await page.getByRole('button', { name: 'Configure pipeline' }).click();
    await page.getByText('Pipeline syntax is correct.').waitFor();
    await page.getByRole('region', { name: 'Stage deploy' }).getByText('deploy-app').waitFor();
    await inspect(t, page, 'pipeline-editor');

    await write(page, NIGHTLY.replace('stage: check', 'stage: chek'));
    await page.getByText('This configuration is invalid: 1 error.').waitFor();
    const problems = table(page, 'Problems');
    await problems.getByText('night job: chosen stage chek does not exist').waitFor();
    await becomes(t, () => page.locator('.cm-lint-marker-error').count(), 1);
    await becomes(t, () => page.locator('.cm-line:has(.cm-lintRange-error)').innerText(), /stage: chek$/);
    await inspect(t, page, 'pipeline-editor-invalid');
    await problems.getByRole('button', { name: 'Go to line 3' }).click();
    await editor(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('ck');
    await page.getByText('Pipeline syntax is correct.').waitFor();
    await becomes(t, () => page.locator('.cm-lint-marker-error').count(), 0);
    const stages = page.getByRole('region', { name: /^Stage / });
    await becomes(t, async () => (await stages.getByRole('heading').allInnerTexts()).join(' '), 'prepare check');

    await tab(page, 'Full configuration').click();
    await page.getByRole('region', { name: 'Full configuration' }).getByText('make soak').waitFor();
    await tab(page, 'Validate').click();
    await table(page, 'Excluded jobs').getByText('CI_PIPELINE_SOURCE is "push"').waitFor();
    await inspect(t, page, 'pipeline-editor-validate');
    await page.getByLabel('Pipeline source').selectOption('Schedule');
    await table(page, 'Jobs that would run').getByText('night').waitFor();
    await becomes(t, () => table(page, 'Excluded jobs').count(), 0);
    t.is(new URL(page.url()).searchParams.get('source'), 'schedule');

    await tab(page, 'Edit').click();
    await page.getByLabel('Commit message').fill('Test every night');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    await page.getByText('Your changes are committed to main.').waitFor();
    await page.getByText('No changes to commit.').waitFor();
    t.is(await readFile(project), NIGHTLY);
    const { body: commits } = await app.as(owner).get(`/projects/${project.id}/repository/commits`);
    t.is(commits[0].title, 'Test every night');
    await write(page, `${NIGHTLY} all`);
    await page.getByRole('button', { name: 'Commit changes' }).click();
    await becomes(t, () => readFile(project), `${NIGHTLY} all`);
    // The files API answers 404 where there is no file yet.
    untroubled(t, app, watched, 1);
  }),
);

// Contract: web.pipeline-editor
test.serial(
  'the file is the first commit of an empty repository, at the path of the settings; one in another project is not edited',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const project = await app.build.project({ owner, empty: true });
    const setPath = (ci_config_path: string) => app.as(owner).put(`/projects/${project.id}`, { ci_config_path });
    t.is((await setPath('ci/main.yml')).status, 200);
    const { page } = await openPage(app, browser);
    await open(page, project, owner);
    await page.getByRole('button', { name: 'Configure pipeline' }).click();
    await page.getByText('Pipeline syntax is correct.').waitFor();
    await page.getByRole('button', { name: 'Commit changes' }).click();
    await page.getByText('Your changes are committed to main.').waitFor();
    const { body: commits } = await app.as(owner).get(`/projects/${project.id}/repository/commits`);
    t.deepEqual(
      commits.map(({ title }: { title: string }) => title),
      ['Add ci/main.yml'],
    );
    t.is((await setPath('ci.yml@some/project')).status, 200);
    await page.reload();
    await page.getByText('The configuration of this project is outside its repository').waitFor();
  }),
);

// Contract: web.pipeline-editor
test.serial(
  'keywords are completed, and signs of the shortcuts are written into the text',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const project = await app.build.project({ owner });
    await commitFile(project, 'a:\n  script: x\n');
    const watched = await openPage(app, browser);
    const { page } = watched;
    await open(page, project, owner);
    await editor(page).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  allow_f');
    const options = page.getByRole('listbox').getByRole('option');
    await options.getByText('allow_failure').waitFor();
    t.is(await options.count(), 1);
    await page.keyboard.press('Escape');
    await page.keyboard.type('ailure: true # c/?');
    await becomes(t, () => page.locator('.cm-line').last().innerText(), '  allow_failure: true # c/?');
    t.is(await page.getByRole('dialog').count(), 0);
    await page.getByText('allowed to fail').waitFor();
    await page.getByLabel('Branch', { exact: true }).waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.pipeline-editor.rights
test.serial(
  'who may not push reads the file and why, and a Developer commits to a new branch beside a protected one',
  inBrowser(async (t) => {
    const project = await app.build.project();
    await commitFile(project, NIGHTLY);
    const reporter = await userWithPassword(app);
    await app.build.member(project, 'reporter', reporter);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await open(page, project, reporter);
    await page.getByText('You need at least the Developer role in this project to edit it.').waitFor();
    await page.getByText('Pipeline syntax is correct.').waitFor();
    await becomes(t, () => editor(page).getAttribute('aria-readonly'), 'true');
    await editor(page).click();
    await page.keyboard.type('changed');
    t.false((await editor(page).innerText()).includes('changed'));
    t.is(await page.getByRole('button', { name: 'Commit changes' }).count(), 0);
    await inspect(t, page, 'pipeline-editor-read-only');
    await tab(page, 'Validate').click();
    await table(page, 'Excluded jobs').getByText('night').waitFor();
    untroubled(t, app, watched);

    const developer = await userWithPassword(app, { username: 'grace' });
    await app.build.member(project, 'developer', developer);
    const other = await openPage(app, browser);
    await open(other.page, project, developer);
    await other.page.getByText("You can't push to main because it is protected.").waitFor();
    await write(other.page, 'a:\n  script: x\n');
    await other.page.getByLabel('Target branch').fill('main');
    await other.page.getByRole('button', { name: 'Commit changes' }).click();
    await other.page.getByText('You are not allowed to push into this branch').waitFor();
    await other.page.getByLabel('Target branch').fill('grace-patch-1');
    await other.page.getByRole('button', { name: 'Commit changes' }).click();
    await other.page.getByText('Your changes are committed to grace-patch-1.').waitFor();
    t.is(await readFile(project, 'grace-patch-1'), 'a:\n  script: x\n');
    t.is(await readFile(project), NIGHTLY);
    t.is(new URL(other.page.url()).searchParams.get('branch_name'), 'grace-patch-1');
    await other.page.getByRole('link', { name: 'Create a merge request' }).waitFor();
    await becomes(t, () => editor(other.page).innerText(), /^a:\s+script: x/);
    await other.page.getByText('No changes to commit.').waitFor();
    await write(other.page, 'b:\n  script: y\n');
    await other.page.getByLabel('Branch', { exact: true }).selectOption('main');
    const question = other.page.getByRole('alertdialog', { name: 'Discard changes?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await becomes(t, () => editor(other.page).innerText(), /^b:/);
    await other.page.getByLabel('Branch', { exact: true }).selectOption('main');
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await becomes(t, () => editor(other.page).innerText(), /^stages:/);
    untroubled(t, app, other, 1);
  }),
);

// Contract: web.pipeline-editor.conflict
test.serial(
  'the second of two editors sees what the first committed, and overwrites it or discards the own text',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app);
    const project = await app.build.project({ owner });
    await commitFile(project, 'a:\n  script: one\n');
    const watched = await openPage(app, browser);
    const { page } = watched;
    await open(page, project, owner);
    await page.getByText('Pipeline syntax is correct.').waitFor();
    await commitFile(project, 'a:\n  script: two\n', 'update');
    await write(page, 'a:\n  script: three\n');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    const conflict = page.getByRole('alert');
    await conflict.getByText('was changed on main while you were editing it.').waitFor();
    await conflict.getByRole('region', { name: 'Current version' }).getByText('script: two').waitFor();
    await inspect(t, page, 'pipeline-editor-conflict');
    t.is(await readFile(project), 'a:\n  script: two\n');
    await conflict.getByRole('button', { name: 'Overwrite with my changes' }).click();
    await page.getByText('Your changes are committed to main.').waitFor();
    t.is(await readFile(project), 'a:\n  script: three\n');

    await commitFile(project, 'a:\n  script: four\n', 'update');
    await write(page, 'a:\n  script: five\n');
    await page.getByRole('button', { name: 'Commit changes' }).click();
    await conflict.getByRole('button', { name: 'Discard my changes' }).click();
    await becomes(t, () => editor(page).innerText(), /script: four/);
    t.is(await readFile(project), 'a:\n  script: four\n');
    untroubled(t, app, watched, 2);
  }),
);

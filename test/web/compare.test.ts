import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, focusIs, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.compare
test.serial(
  'two refs are compared: chosen in a form that offers them, in the address, with commits and files',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket', empty: false });
    const as = app.as(owner);
    const repository = `/projects/${project.id}/repository`;
    await as.post(`${repository}/branches`, { branch: 'fix/valve', ref: 'main' });
    const commitFix = (content: string, action: string) =>
      as.post(`${repository}/commits`, {
        branch: 'fix/valve',
        commit_message: `Mend it: ${content}`,
        actions: [{ action, file_path: 'src/valve.ts', content }],
      });
    await commitFix('open', 'create');
    await commitFix('shut', 'update');
    await as.post(`${repository}/commits`, {
      branch: 'main',
      commit_message: 'Go on',
      actions: [{ action: 'create', file_path: 'NEWS', content: 'x' }],
    });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/${project.full_path}/-/commits`);
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    const to = page.getByLabel('Source', { exact: true });
    await becomes(t, () => page.getByLabel('Target').inputValue(), 'main');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText("Source can't be blank").waitFor();
    await focusIs(t, page, 'Source');
    await to.fill('val');
    await page.locator('datalist option[value="fix/valve"]').last().waitFor({ state: 'attached' });
    await inspect(t, page, 'compare-form');
    await to.fill('fix/valve');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Commits (2)' }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${project.full_path}/-/compare/main...fix/valve`);
    const commits = page.getByRole('table', { name: 'Commits, newest first' });
    await becomes(t, () => commits.getByRole('rowheader').allTextContents(), ['Mend it: shut', 'Mend it: open']);
    const files = page.getByRole('list', { name: 'Changed files' });
    await files.getByRole('heading', { name: 'src/valve.ts' }).waitFor();
    await becomes(t, () => files.getByRole('heading', { name: 'NEWS' }).count(), 0);
    await inspect(t, page, 'compare');
    await page.getByLabel('Comparison method').selectOption({ label: 'Direct comparison' });
    await page.getByRole('button', { name: 'Compare' }).click();
    await files.getByRole('heading', { name: 'NEWS' }).waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${project.full_path}/-/compare/main..fix/valve`);
    await page.getByRole('link', { name: 'Create merge request' }).click();
    await page.getByRole('heading', { name: 'New merge request', level: 1 }).waitFor();
    await becomes(t, () => page.getByLabel('Source branch', { exact: true }).inputValue(), 'fix/valve');

    await page.goto(`${app.url}/${project.full_path}/-/branches`);
    await page.getByRole('link', { name: 'Compare fix/valve with main' }).click();
    await page.getByRole('heading', { name: 'Commits (2)' }).waitFor();
    await page.goto(`${app.url}/${project.full_path}/-/compare/main...gone`);
    await page.getByText("One of the two isn't a branch, tag or commit of this project.").waitFor();
    await becomes(t, () => to.inputValue(), 'gone');
    await page.goto(`${app.url}/${project.full_path}/-/compare/main...main`);
    await page.getByText('point to the same commit.').waitFor();
    untroubled(t, app, watched, 1);
  }),
);

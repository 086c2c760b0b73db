import test from 'ava';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

// Contract: web.issue-threads
test.serial(
  'a person reads what is said about an issue, answers, edits, resolves and deletes, and closes it by a command',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket', visibility: 'public' });
    const other = await app.build.user({ name: 'Charles Babbage' });
    const issue = (await app.as(owner).post(`/projects/${project.id}/issues`, { title: 'Light it' })).body;
    const path = `/projects/${project.id}/issues/${issue.iid}`;
    await app.as(other).post(`${path}/discussions`, { body: 'Is it **safe**?\n\n<script>window.harmed = 1</script>' });
    await app.as(owner).put(path, { title: 'Light the engine' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    const at = `/${project.full_path}/-/issues/${issue.iid}`;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=${encodeURIComponent(at)}`);
    const comments = page.getByRole('region', { name: 'Comments', exact: true });
    const question = comments.getByRole('article', { name: 'Comment by Charles Babbage' });
    await question.locator('strong').getByText('safe').waitFor();
    await comments.getByText('changed title from').waitFor();
    t.is(await page.evaluate('window.harmed'), undefined);

    await comments.getByRole('button', { name: 'Reply' }).click();
    await comments.getByLabel('Reply').fill('Yes, _quite_.');
    await comments.getByRole('button', { name: 'Add reply' }).click();
    await page.getByText('Reply added.').and(page.locator(':focus')).waitFor();
    const reply = comments.getByRole('article', { name: 'Comment by Ada Lovelace' });
    await reply.locator('em').getByText('quite').waitFor();
    await comments.getByRole('button', { name: 'Edit comment by Ada Lovelace' }).click();
    await comments.getByLabel('Edit comment', { exact: true }).fill('Yes.');
    await comments.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Comment saved.').and(page.locator(':focus')).waitFor();
    await comments.getByRole('button', { name: 'Resolve thread' }).click();
    await comments.getByText('resolved by Ada Lovelace').waitFor();
    await inspect(t, page, 'issue-threads');

    await comments.getByRole('button', { name: 'Add comment' }).click();
    await comments.getByText("Note can't be blank").waitFor();
    await comments.getByLabel('Comment', { exact: true }).fill('Done.\n/close');
    await comments.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('Closed this issue.').and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Reopen issue' }).waitFor();
    await comments.getByText('Done.', { exact: true }).waitFor();
    await comments.getByRole('button', { name: 'Delete comment by Ada Lovelace' }).last().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Comment deleted.').and(page.locator(':focus')).waitFor();
    t.is((await app.as(owner).get(path)).body.user_notes_count, 2);
    untroubled(t, app, watched);
  }),
);

import test from 'ava';
import type { Page, Route } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { eventually } from '../core/processes.js';
import { userWithPassword } from '../core/signed-in.js';
import { becomes, inBrowser, inspect, openPage, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const seconds = (count: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, count * 1000);
  });

/** Lets the service process a page's request, but holds back the response until released; optionally replaces it. */
async function keepAnswer(
  page: Page,
  url: string,
  isOf: (body: string | null, method: string) => boolean,
  instead?: { status: number; json: object },
) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: done, resolve: noteDone } = Promise.withResolvers<void>();
  const { promise: answered, resolve: noteAnswered } = Promise.withResolvers<void>();
  const handle = async (route: Route) => {
    const request = route.request();
    if (!isOf(request.postData(), request.method())) return route.fallback();
    const answer = instead ?? { response: await route.fetch() };
    noteDone();
    await released;
    await route.fulfill(answer);
    noteAnswered();
  };
  await page.route(url, handle);
  return {
    done,
    release: async () => {
      release();
      await answered;
      await page.unroute(url, handle);
    },
  };
}

async function waitForListeners(others: number) {
  await eventually(() => Promise.resolve(app.changes.size === others + 1));
}

// Contract: web.gone-rows
test.serial(
  'what became of a comment is said, and what is typed of it kept, also where its row goes meanwhile',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const as = app.as(owner);
    const { body: issue } = await as.post(`/projects/${project.id}/issues`, { title: 'Light it' });
    const notes = `/projects/${project.id}/issues/${issue.iid}/notes`;
    for (const body of ['First', 'Second', 'Third']) await as.post(notes, { body });
    await app.calm();
    const others = app.changes.size;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/${project.full_path}/-/issues/${issue.iid}`);
    const comments = page.getByRole('list', { name: 'Comments, oldest first' });
    const comment = (text: string) => comments.getByRole('article').filter({ hasText: text });
    const dialog = page.getByRole('alertdialog');
    await comment('Third').waitFor();
    await waitForListeners(others);

    // The row is gone before the answer comes, as it is when the change is heard of first.
    const deletion = await keepAnswer(page, '**/api/graphql', (body) => body?.includes('destroyNote') ?? false);
    await comment('First')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await deletion.done;
    await page.keyboard.press('Escape');
    await comment('First').waitFor({ state: 'detached' });
    await becomes(t, () => page.getByText('Comment deleted.').count(), 0);
    await deletion.release();
    await page.getByText('Comment deleted.').waitFor();
    await becomes(t, () => page.locator(':focus').allTextContents(), ['Comment deleted.']);

    // Another user deletes the comment being edited.
    await comment('Second').getByRole('button', { name: /^Edit/ }).click();
    const field = page.getByLabel('Edit comment', { exact: true });
    await field.fill('Second thoughts of mine');
    const { body: left } = await as.get(`${notes}?sort=asc`);
    const second = (left as { id: number; body: string }[]).find(({ body }) => body === 'Second');
    t.is((await as.delete(`${notes}/${second?.id}`)).status, 204);
    await page.getByText(/^This page changed at \d\d:\d\d\. Finish what you have open/).waitFor();
    await inspect(t, page, 'held-page');
    await becomes(t, () => field.inputValue(), 'Second thoughts of mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('does not exist or you').waitFor();
    await becomes(t, () => field.inputValue(), 'Second thoughts of mine');

    // Saved again while leaving the page: the failure is then shown at the top of the page.
    const edit = await keepAnswer(page, '**/api/graphql', (body) => body?.includes('updateNote') ?? false);
    await page.getByRole('button', { name: 'Save' }).click();
    await edit.done;
    await page.getByRole('button', { name: 'Cancel' }).click();
    await field.waitFor({ state: 'detached' });
    await page.getByText('This page changed at').waitFor({ state: 'detached' });
    await comment('Second').waitFor({ state: 'detached' });
    await edit.release();
    const lost = page.getByRole('region', { name: 'Action failed' });
    await lost.getByRole('alert').waitFor();
    await inspect(t, page, 'lost-problem');
    await lost.getByRole('button', { name: 'Close' }).click();
    await lost.waitFor({ state: 'detached' });
    await comment('Third').waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.gone-rows
test.serial(
  'what is typed of a comment and of an answer is kept though others delete them and the person says something else',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket' });
    const as = app.as(owner);
    const { body: issue } = await as.post(`/projects/${project.id}/issues`, { title: 'Light it' });
    const threads = `/projects/${project.id}/issues/${issue.iid}/discussions`;
    const notes = `/projects/${project.id}/issues/${issue.iid}/notes`;
    const ids: number[] = [];
    for (const body of ['First', 'Second', 'Third', 'Fourth']) {
      const { body: thread } = await as.post(threads, { body });
      ids.push(thread.notes[0].id);
    }
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/${project.full_path}/-/issues/${issue.iid}`);
    const comments = page.getByRole('list', { name: 'Comments, oldest first' });
    const thread = (text: string) => comments.locator('> li').filter({ hasText: text });
    await thread('Second').getByRole('button', { name: /^Edit/ }).click();
    await page.getByLabel('Edit comment', { exact: true }).fill('Second thoughts of mine');
    await thread('Third').getByRole('button', { name: 'Reply' }).click();
    await page.getByLabel('Reply', { exact: true }).fill('I would not say so');
    for (const id of ids.slice(0, 3)) t.is((await as.delete(`${notes}/${id}`)).status, 204);
    await page.getByLabel('Comment', { exact: true }).fill('Fifth');
    await page.getByRole('button', { name: 'Add comment' }).click();
    await thread('Fifth').waitFor();
    // Nothing is typed of the first one.
    await thread('First').waitFor({ state: 'detached' });
    await becomes(t, () => page.getByLabel('Edit comment', { exact: true }).inputValue(), 'Second thoughts of mine');
    await becomes(t, () => page.getByLabel('Reply', { exact: true }).inputValue(), 'I would not say so');
    await becomes(
      t,
      async () => (await comments.locator('> li').allInnerTexts()).map((text) => /Third|Fourth|Fifth/.exec(text)?.[0]),
      [undefined, 'Third', 'Fourth', 'Fifth'],
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('does not exist or you').waitFor();
    await comments.getByRole('button', { name: 'Cancel' }).first().click();
    await becomes(t, () => comments.locator('> li').count(), 3);
    await comments.getByRole('button', { name: 'Cancel' }).click();
    await thread('Third').waitFor({ state: 'detached' });
    await becomes(t, () => comments.locator('> li').count(), 2);
    untroubled(t, app, watched);
  }),
);

// Contract: web.gone-rows
test.serial(
  'what became of a branch is said where the list goes on before the answer',
  inBrowser(async (t) => {
    const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
    const project = await app.build.project({ owner, name: 'Rocket', empty: false });
    const as = app.as(owner);
    for (const name of ['fins', 'nose'])
      await as.post(`/projects/${project.id}/repository/branches?branch=${name}&ref=main`);
    await app.work();
    await app.calm();
    const others = app.changes.size;
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, `/users/sign_in?redirect_to=/${project.full_path}/-/branches`);
    const fins = page.getByRole('link', { name: 'fins', exact: true }).first();
    await fins.waitFor();
    await waitForListeners(others);
    const deletion = await keepAnswer(page, '**/repository/branches/fins', (_, method) => method === 'DELETE');
    await page.getByRole('button', { name: 'Delete fins' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await deletion.done;
    await page.keyboard.press('Escape');
    await fins.waitFor({ state: 'detached' });
    await deletion.release();
    await page.getByText('Branch “fins” was deleted.').and(page.locator(':focus')).waitFor();

    // A dialog closed before its request fails: the failure is shown at the top of the page.
    const sendInvalid = await keepAnswer(page, '**/repository/branches/nose', (_, method) => method === 'DELETE', {
      status: 400,
      json: { message: 'The branch is held.' },
    });
    await page.getByRole('button', { name: 'Delete nose' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await sendInvalid.done;
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await sendInvalid.release();
    const lost = page.getByRole('region', { name: 'Action failed' });
    await lost.getByText('The branch is held.').waitFor();
    await lost.getByRole('button', { name: 'Close' }).click();

    // Rows do not disappear while a confirmation dialog is open.
    await page.getByRole('button', { name: 'Delete nose' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    t.is((await as.delete(`/projects/${project.id}/repository/branches/nose`)).status, 204);
    await seconds(4);
    t.is((await page.locator('a', { hasText: /^nose$/ }).count()) > 0, true);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page
      .locator('a', { hasText: /^nose$/ })
      .first()
      .waitFor({ state: 'detached' });
    untroubled(t, app, watched, 2);
  }),
);

import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { userWithPassword } from '../core/signed-in.js';
import { commitTo, mergeRequestIn } from '../merge-requests/merge-request-steps.js';
import { becomes, focusIs, inBrowser, inspect, openPage, settled, signIn, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

/** A project of a person who can sign in, and where its merge requests are. */
async function ownProject(name: string, attributes: { visibility?: string } = {}) {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const project = await app.build.project({ owner, name, ...attributes });
  return { owner, project, at: { id: project.id, owner }, list: `/${project.full_path}/-/merge_requests` };
}

/** Records the requests that a page's scripts send to the service from now on. */
function watchRequests(page: Page): string[] {
  const urls: string[] = [];
  page.on('request', (request) => {
    if (['fetch', 'xhr'].includes(request.resourceType())) urls.push(new URL(request.url()).pathname);
  });
  return urls;
}

const redirect = (path: string) => `/users/sign_in?redirect_to=${encodeURIComponent(path)}`;
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Merge request tabs' }).getByRole('link', { name });

// Contract: web.merge-requests, web.commit
test.serial(
  'a person finds a merge request in the list, reads where it stands, its commits and changes, and one of its commits',
  inBrowser(async (t) => {
    const { owner, project, at, list } = await ownProject('Rocket');
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, redirect(list));
    await page.getByText('No open merge requests.').waitFor();
    await inspect(t, page, 'merge-requests-empty');

    await commitTo(app, at, 'boosters', 'main', { path: 'boosters.txt', content: 'left\nright\n' });
    const sha = (
      await app.as(owner).post(`/projects/${project.id}/repository/commits`, {
        branch: 'boosters',
        commit_message: 'Move the tank\n\nIt stood in the way.',
        actions: [
          { action: 'update', file_path: 'boosters.txt', content: `left\nmiddle\n${'long '.repeat(60)}\n` },
          { action: 'create', file_path: 'src/tank/fuel.ts', content: 'export const litres = 3;\n' },
        ],
      })
    ).body.id as string;
    const { iid } = await mergeRequestIn(app, at, {
      source_branch: 'boosters',
      title: 'Two boosters <b>and</b> a tank',
      description: 'They **lift** it.\n\n<script>window.harmed = 1</script>',
      labels: 'engine',
      reviewer_ids: [owner.id],
    });
    await app.work();
    await page.reload();
    const row = page.getByRole('row', { name: /Two boosters/ });
    await row.getByText('boosters into main').waitFor();
    await row.getByText('open', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open 1' }).waitFor();
    await inspect(t, page, 'merge-requests');
    await page.getByLabel('Source branch').fill('no-such-branch');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No merge requests match the filter.').waitFor();
    await becomes(t, () => new URL(page.url()).searchParams.get('source_branch'), 'no-such-branch');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('link', { name: 'Two boosters' }).click();
    await heading(page, 'Two boosters <b>and</b> a tank').waitFor();
    await focusIs(t, page, 'Two boosters <b>and</b> a tank');
    await becomes(t, () => new URL(page.url()).pathname, `${list}/${iid}`);
    await page.getByText('can be merged').waitFor();
    await becomes(
      t,
      () =>
        page
          .getByRole('region', { name: `Description of !${iid}` })
          .locator('strong')
          .textContent(),
      'lift',
    );
    t.is(await page.evaluate('window.harmed'), undefined);
    await page.getByText('no approvals yet').waitFor();
    await page.getByLabel('Comment', { exact: true }).waitFor();
    await inspect(t, page, 'merge-request');
    await tab(page, 'Changes').click();
    const boosters = page.getByRole('article', { name: 'boosters.txt' });
    await boosters.getByText('3 added, 0 removed').waitFor();
    await boosters.getByRole('cell', { name: 'middle' }).waitFor();
    await page.getByRole('article', { name: 'src/tank/fuel.ts' }).getByText('new', { exact: true }).waitFor();
    await inspect(t, page, 'merge-request-changes');
    await tab(page, 'Commits').click();
    await page.getByRole('table', { name: 'Commits, newest first' }).getByText('Add a file').waitFor();
    await inspect(t, page, 'merge-request-commits');
    await page.getByRole('link', { name: 'Move the tank' }).click();
    await heading(page, 'Move the tank').waitFor();
    await becomes(t, () => new URL(page.url()).pathname, `/${project.full_path}/-/commit/${sha}`);
    await page.getByText('It stood in the way.').waitFor();
    await page.getByRole('link', { name: `!${iid}`, exact: true }).waitFor();
    await page.getByRole('article', { name: 'src/tank/fuel.ts' }).waitFor();
    await inspect(t, page, 'commit');
    await page.goBack();
    await page.getByRole('link', { name: 'Move the tank' }).waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: web.merge-requests, web.commit
test.serial(
  'the list asks four things, each part of a merge request and a commit six at most, that of the menu among them; of long files the first lines are drawn',
  inBrowser(async (t) => {
    const { owner, project, at, list } = await ownProject('Comet');
    await commitTo(app, at, 'tail', 'main', { path: 'parts.txt', content: 'part\n'.repeat(700) });
    const first = await mergeRequestIn(app, at, { title: 'Tail', source_branch: 'tail' });
    await app.work();
    await app.as(owner).put(`/projects/${project.id}/merge_requests/${first.iid}/merge`, {});
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, redirect(`${list}?state=merged`));
    await page.getByRole('table', { name: 'Merge requests, merged' }).waitFor();
    await app.calm();
    const urls = watchRequests(page);
    const loading = async (path: string, ready: () => Promise<unknown>, most: number) => {
      await page.goto('about:blank');
      urls.length = 0;
      await page.goto(app.url + path);
      await ready();
      await settled(page);
      t.true(new Set(urls).size <= most && urls.length <= most, `${path}: ${urls.join(', ')}`);
    };
    await loading(list, () => page.getByText('No open merge requests.').waitFor(), 4);
    await loading(`${list}/${first.iid}`, () => page.getByText('by Ada Lovelace').first().waitFor(), 6);
    await loading(`${list}/${first.iid}/diffs`, () => page.getByRole('list', { name: 'Changed files' }).waitFor(), 6);
    await page.getByRole('button', { name: 'Show all 701 lines' }).click();
    await becomes(t, () => page.getByRole('article', { name: 'parts.txt' }).getByRole('row').count(), 702);
    await loading(`${list}/${first.iid}/commits`, () => page.getByRole('table').waitFor(), 6);
    const { merge_commit_sha: sha } = (await app.as(owner).get(`/projects/${project.id}/merge_requests/${first.iid}`))
      .body;
    await loading(
      `/${project.full_path}/-/commit/${sha}`,
      () => page.getByRole('list', { name: 'Changed files' }).waitFor(),
      6,
    );
    untroubled(t, app, watched);
  }),
);

// Contract: web.merge-requests, web.commit
test.serial(
  'what is not there, switched off or closed to the caller is said in words, and who is not signed in reads what is public',
  inBrowser(async (t) => {
    const open = await ownProject('Open', { visibility: 'public' });
    const { iid, sha } = await mergeRequestIn(app, open.at, { title: 'For all to see' });
    const closed = await ownProject('Closed');
    const off = await ownProject('Off', { visibility: 'public' });
    await app.as(off.owner).put(`/projects/${off.project.id}`, { merge_requests_access_level: 'disabled' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}${open.list}/${iid}`);
    await heading(page, 'For all to see').waitFor();
    await page.getByText('Sign in to see comments.').waitFor();
    await inspect(t, page, 'merge-request-anonymous');
    await page.goto(`${app.url}${open.list}/999`);
    await page.getByText(/^Not found:/).waitFor();
    await page.getByRole('link', { name: 'Sign in to see more' }).waitFor();
    await page.goto(`${app.url}${closed.list}`);
    await page.getByText(/^Not found:/).waitFor();
    await page.goto(`${app.url}${off.list}`);
    await page.getByText('Merge requests are turned off in this project, or only available to its members.').waitFor();
    await inspect(t, page, 'merge-requests-refused');
    await page.goto(`${app.url}/${open.project.full_path}/-/commit/${'0'.repeat(40)}`);
    await page.getByText(/^Not found:/).waitFor();
    await page.goto(`${app.url}/${open.project.full_path}/-/commit/${sha.slice(0, 8)}`);
    await heading(page, 'Add a file').waitFor();
    const { complaints } = watched;
    untroubled(t, app, watched, complaints.filter((text) => /status of 40[34]/.test(text)).length);
  }),
);

// Contract: web.merge-request-threads
test.serial(
  'a person reads what is said about a merge request, answers, edits, resolves a thread and opens it again, by keyboard too',
  inBrowser(async (t) => {
    const { owner, project, at, list } = await ownProject('Orbiter', { visibility: 'public' });
    const { iid } = await mergeRequestIn(app, at, { title: 'Round it goes' });
    const other = await app.build.user({ name: 'Charles Babbage' });
    const path = `/projects/${project.id}/merge_requests/${iid}`;
    await app.as(other).post(`${path}/discussions`, { body: 'How **often**?' });
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, redirect(`${list}/${iid}`));
    const comments = page.getByRole('region', { name: 'Comments', exact: true });
    await comments.getByRole('article', { name: 'Comment by Charles Babbage' }).locator('strong').waitFor();
    await comments.getByRole('button', { name: 'Reply' }).focus();
    await page.keyboard.press('Enter');
    await comments.getByLabel('Reply').focus();
    await page.keyboard.type('Twice.');
    await page.keyboard.press('Tab');
    await focusIs(t, page, 'Add reply');
    await page.keyboard.press('Enter');
    await page.getByText('Reply added.').and(page.locator(':focus')).waitFor();
    await comments.getByRole('button', { name: 'Edit comment by Ada Lovelace' }).click();
    await comments.getByLabel('Edit comment', { exact: true }).fill('Three times.');
    await comments.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Comment saved.').and(page.locator(':focus')).waitFor();
    await comments.getByRole('button', { name: 'Resolve thread' }).click();
    await comments.getByText('resolved by Ada Lovelace').waitFor();
    await inspect(t, page, 'merge-request-threads');
    await comments.getByRole('button', { name: 'Reopen thread' }).click();
    await page.getByText('Thread reopened.').waitFor();
    await comments.getByLabel('Comment', { exact: true }).fill('Well.');
    await comments.getByRole('button', { name: 'Add comment' }).click();
    await page.getByText('Comment added.').waitFor();
    const notes = (await app.as(owner).get(`${path}/notes`)).body as { body: string }[];
    t.true(notes.some(({ body }) => body === 'Well.'));
    const threads = (await app.as(owner).get(`${path}/discussions`)).body;
    t.deepEqual(
      threads[0].notes.map(({ body, resolved }: { body: string; resolved: boolean }) => [body, resolved]),
      [
        ['How **often**?', false],
        ['Three times.', false],
      ],
    );
    untroubled(t, app, watched);
  }),
);

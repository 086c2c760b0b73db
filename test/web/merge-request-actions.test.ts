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

const redirect = (path: string) => `/users/sign_in?redirect_to=${encodeURIComponent(path)}`;
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).and(page.locator(':focus')).waitFor();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A project of a person who can sign in, and where its merge requests are. */
async function ownProject(name: string) {
  const owner = await userWithPassword(app, { name: 'Ada Lovelace' });
  const project = await app.build.project({ owner, name, visibility: 'public' });
  const list = `/${project.full_path}/-/merge_requests`;
  return { owner, project, at: { id: project.id, owner }, list, api: `/projects/${project.id}/merge_requests` };
}

// Contract: web.merge-request-actions
test.serial(
  'a person approves a merge request, edits it, closes it, opens it again, and merges it; what stands in the way is said',
  inBrowser(async (t) => {
    const { owner, project, at, list, api } = await ownProject('Rocket');
    const ann = await app.build.member(project, 'developer');
    const { iid } = await mergeRequestIn(app, at, { title: 'Draft: Engine', description: 'One' }, ann);
    await app.work();
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, redirect(`${list}/${iid}`));
    const merging = page.getByRole('region', { name: 'Merge', exact: true });
    await merging.getByText('Merge blocked: marked as draft.').waitFor();
    await becomes(t, () => merging.getByRole('button').count(), 0);
    await inspect(t, page, 'merge-request-draft');
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await focusIs(t, page, 'Title');
    await page.getByLabel('Title', { exact: true }).fill('');
    await button(page, 'Save').click();
    await page.getByText("Title can't be blank").waitFor();
    await page.getByLabel('Title', { exact: true }).fill('Draft: Better engine');
    await page.getByLabel('Description', { exact: true }).fill('Two **strokes**');
    await inspect(t, page, 'merge-request-edit');
    await button(page, 'Save').click();
    await said(page, 'Saved.');
    await page
      .getByRole('region', { name: `Description of !${iid}` })
      .locator('strong')
      .waitFor();
    await button(page, 'Mark as ready').click();
    await said(page, 'Marked as ready.');
    await page.getByRole('heading', { name: 'Better engine', exact: true }).waitFor();
    await button(page, 'Approve').click();
    await said(page, 'Merge request approved.');
    await page.getByText('by Ada Lovelace', { exact: false }).first().waitFor();
    await button(page, 'Revoke approval').click();
    await said(page, 'Approval revoked.');
    await button(page, 'Close merge request').click();
    await said(page, 'Merge request closed.');
    await becomes(t, () => merging.count(), 0);
    await button(page, 'Reopen merge request').click();
    await said(page, 'Merge request reopened.');
    // A job looks whether it can be merged, and the page sees that by itself.
    await app.work();
    await merging.getByText('Ready to merge.').waitFor();
    await inspect(t, page, 'merge-request-mergeable');
    await commitTo(app, at, (await app.as(owner).get(`${api}/${iid}`)).body.source_branch);
    await app.work();
    await page.getByText('New commits were added. Merging').waitFor();
    await merging.getByLabel('Delete source branch', { exact: true }).check();
    await button(page, 'Merge').focus();
    await page.keyboard.press('Enter');
    await merging.getByText('New commits were added. Review them first.').waitFor();
    await inspect(t, page, 'merge-request-moved');
    await button(page, 'Include new commits').click();
    await page.getByText('New commits were added. Merging').waitFor({ state: 'detached' });
    await button(page, 'Merge').click();
    await said(page, 'Merged.');
    await page.getByText('merged', { exact: true }).first().waitFor();
    await app.work();
    const { body } = await app.as(owner).get(`${api}/${iid}`);
    t.like(body, { state: 'merged', title: 'Better engine', should_remove_source_branch: true });
    await becomes(t, () => button(page, 'Close merge request').count(), 0);
    untroubled(t, app, watched, 2);
  }),
);

// Contract: web.merge-request-actions
test.serial(
  'a person says who works on a merge request, who reviews it and its labels, and brings its branch onto the target',
  inBrowser(async (t) => {
    const { owner, project, at, list, api } = await ownProject('Lander');
    const ann = await app.build.member(project, 'developer');
    const { iid } = await mergeRequestIn(app, at, { title: 'Legs', labels: 'old', assignee_ids: [owner.id] });
    await commitTo(app, at, 'main');
    await app.work();
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, redirect(`${list}/${iid}?edit=1`));
    const field = (name: string) => page.getByLabel(name, { exact: true });
    await field('Labels').waitFor();
    await becomes(t, () => field('Assignees').inputValue(), owner.username);
    await becomes(t, () => field('Labels').inputValue(), 'old');
    await field('Reviewers').fill(`@${ann.username}, nobody-at-all`);
    await button(page, 'Save').click();
    await page.getByText('User “nobody-at-all” not found.').waitFor();
    await focusIs(t, page, 'Reviewers');
    await inspect(t, page, 'merge-request-edit-people');
    await field('Reviewers').fill(`@${ann.username}`);
    await field('Assignees').fill('');
    await field('Labels').fill('hardware, old');
    await button(page, 'Save').click();
    await said(page, 'Saved.');
    t.like((await app.as(owner).get(`${api}/${iid}`)).body, {
      title: 'Legs',
      labels: ['hardware', 'old'],
      assignees: [],
      reviewers: [{ username: ann.username }],
    });
    const merging = page.getByRole('region', { name: 'Merge', exact: true });
    await merging.getByText(/ is 1 commit behind main\.$/).waitFor();
    await inspect(t, page, 'merge-request-behind');
    await button(page, 'Rebase').focus();
    await page.keyboard.press('Enter');
    await said(page, 'Rebase started.');
    await merging.getByText('Rebase in progress.').waitFor();
    await app.work();
    await merging.getByText('Ready to merge.').waitFor();
    await merging.getByText('Rebase in progress.').waitFor({ state: 'detached' });
    // Its new commit becomes visible shortly after the branch moved.
    await button(page, 'Rebase').waitFor({ state: 'detached' });
    const { body } = await app.as(owner).get(`${api}/${iid}?include_diverged_commits_count=true`);
    t.is(body.diverged_commits_count, 0);
    untroubled(t, app, watched, 0);
  }),
);

// Contract: web.merge-request-actions
test.serial(
  'who may only read is offered nothing but to talk; conflicts and branches of others are said',
  inBrowser(async (t) => {
    const { owner, project, at, list } = await ownProject('Comet');
    await commitTo(app, at, 'tail', 'main', { path: 'same.txt', content: 'tail\n' });
    await commitTo(app, at, 'main', undefined, { path: 'same.txt', content: 'head\n' });
    const { iid } = await mergeRequestIn(app, at, { title: 'Tail', source_branch: 'tail' });
    await app.work();
    const reporter = await userWithPassword(app, { name: 'Charles Babbage' });
    await app.build.member(project, 'reporter', reporter);
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, reporter, redirect(`${list}/${iid}`));
    await page.getByText('Merge blocked: conflicts with the target branch.').waitFor();
    await page.getByText('You need permission to push or merge to main.').waitFor();
    for (const name of ['Approve', 'Merge', 'Rebase', 'Close merge request'])
      await becomes(t, () => button(page, name).count(), 0, name);
    await becomes(t, () => page.getByRole('link', { name: 'Edit', exact: true }).count(), 0);
    await page.goto(app.url + list);
    await page.getByRole('link', { name: 'Tail' }).waitFor();
    await becomes(t, () => page.getByRole('link', { name: 'New merge request' }).count(), 0);
    untroubled(t, app, watched);
    t.truthy(owner);
  }),
);

// Contract: web.merge-request-new
test.serial(
  'a person creates a merge request from the list and by the link that git shows, told at the field what is wrong',
  inBrowser(async (t) => {
    const { owner, project, at, list, api } = await ownProject('Orbiter');
    await commitTo(app, at, 'wings', 'main');
    await commitTo(app, at, 'wheels', 'main');
    const watched = await openPage(app, browser);
    const { page } = watched;
    await signIn(page, app, owner, redirect(list));
    const urls: string[] = [];
    page.on('request', (request) => {
      if (['fetch', 'xhr'].includes(request.resourceType())) urls.push(new URL(request.url()).pathname);
    });
    await page.getByRole('link', { name: 'New merge request' }).click();
    await focusIs(t, page, 'Source branch');
    await becomes(t, () => new URL(page.url()).pathname, `${list}/new`);
    await becomes(t, () => page.getByLabel('Target branch', { exact: true }).inputValue(), 'main');
    await inspect(t, page, 'merge-request-new');
    await page.getByLabel('Source branch', { exact: true }).fill('gone');
    await page.getByLabel('Title', { exact: true }).fill('Wings');
    await button(page, 'Create merge request').click();
    await page.getByText('Source branch does not exist').waitFor();
    await focusIs(t, page, 'Source branch');
    await page.getByLabel('Source branch', { exact: true }).fill('main');
    await button(page, 'Create merge request').click();
    await page.getByText("You can't use same project/branch for source and target").waitFor();
    await page.getByLabel('Source branch', { exact: true }).fill('wings');
    await page.getByLabel('Description', { exact: true }).fill('Two of them');
    await page.getByLabel('Squash commits', { exact: true }).check();
    await button(page, 'Create merge request').click();
    await said(page, 'Merge request !1 created.');
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    await becomes(t, () => button(page, 'Approve').count(), 0, 'nobody approves their own');
    await becomes(t, () => new URL(page.url()).pathname, `${list}/1`);
    t.like((await app.as(owner).get(`${api}/1`)).body, {
      title: 'Wings',
      description: 'Two of them',
      source_branch: 'wings',
      target_branch: 'main',
      squash: true,
    });
    await page.goto('about:blank');
    urls.length = 0;
    await page.goto(`${app.url}${list}/new?merge_request%5Bsource_branch%5D=wheels`);
    await page.getByLabel('Title', { exact: true }).waitFor();
    await becomes(t, () => page.getByLabel('Source branch', { exact: true }).inputValue(), 'wheels');
    await settled(page);
    t.true(urls.length <= 4, urls.join(', '));
    await page.getByLabel('Title', { exact: true }).fill('Wheels');
    await page.keyboard.press('Enter');
    await said(page, 'Merge request !2 created.');
    untroubled(t, app, watched, 2);

    const stranger = await userWithPassword(app);
    const other = await openPage(app, browser);
    await signIn(other.page, app, stranger, redirect(`${list}/new?merge_request%5Bsource_branch%5D=wheels`));
    await other.page.getByLabel('Title', { exact: true }).fill('Mine');
    await button(other.page, 'Create merge request').click();
    await other.page.getByText('Access denied:').waitFor();
    untroubled(t, app, other, 1);
    t.truthy(project);
  }),
);

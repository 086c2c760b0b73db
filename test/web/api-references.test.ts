import test from 'ava';
import type { Page } from 'playwright-core';
import { useApp } from '../core/app.js';
import { useBrowser } from '../core/browser.js';
import { becomes, focusIs, inBrowser, inspect, openPage, untroubled } from './person.js';

// A process of its own: a browser takes its time.

const app = useApp(test);
const browser = useBrowser(test);

const reference = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'References' }).getByRole('link', { name, exact: true });
const rows = (page: Page, name: string) => page.getByRole('table', { name }).getByRole('rowheader');

// Contract: references-graphql
test.serial(
  'the GraphQL reference is searched and read by mouse and by keyboard, from the REST reference on',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/-/api-docs`);
    await reference(page, 'GraphQL').click();
    await page.getByRole('heading', { name: 'GraphQL reference', level: 1 }).waitFor();
    await page.getByText('Select a query').waitFor();
    await inspect(t, page, 'graphql-reference');
    const search = page.getByRole('searchbox', { name: 'Search the schema' });
    await search.fill('tagList');
    await page.getByRole('link', { name: 'Project.tagList' }).click();
    await focusIs(t, page, 'tagList', 'the focus goes to what was chosen');
    await page.getByText('Deprecated in Service 13.12').waitFor();
    await becomes(t, () => new URL(page.url()).hash, '#/Project/tagList');
    await page.getByRole('article').getByRole('link', { name: 'Project', exact: true }).click();
    await page.getByRole('heading', { name: 'Project', level: 2 }).waitFor();
    await page.getByRole('table', { name: 'Fields of Project' }).waitFor();
    await inspect(t, page, 'graphql-reference-type');
    await search.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('createIssue');
    await page
      .getByRole('navigation', { name: 'Schema' })
      .getByRole('link', { name: 'createIssue', exact: true })
      .focus();
    await page.keyboard.press('Enter');
    await focusIs(t, page, 'createIssue');
    await becomes(t, () => rows(page, 'Arguments of createIssue').allTextContents(), ['input']);
    await page.getByRole('article').getByRole('link', { name: 'CreateIssueInput' }).press('Enter');
    await page.getByRole('table', { name: 'Fields of CreateIssueInput' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'createIssue', level: 2 }).waitFor();
    await page.goto(`${app.url}/-/api-docs/graphql#/NoSuchType`);
    await page.getByText('NoSuchType not found').waitFor();
    untroubled(t, app, watched);
  }),
);

// Contract: references-deprecations
test.serial(
  'deprecations are read and searched, with the releases that remove them',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/-/api-docs/deprecations`);
    await page.getByRole('heading', { name: 'Deprecations and removals', level: 1 }).waitFor();
    await rows(page, 'Releases').first().waitFor();
    await becomes(t, () => rows(page, 'Releases').count(), 6);
    await inspect(t, page, 'reference-deprecations');
    await page.getByRole('searchbox', { name: 'Search deprecations' }).fill('tag');
    await becomes(t, () => rows(page, 'Deprecated').allTextContents(), ['tag_list', 'name_regex', 'Project.tagList']);
    await becomes(t, () => new URL(page.url()).search, '?search=tag');
    untroubled(t, app, watched);
  }),
);

// Contract: references-limits
test.serial(
  'limits are read and searched',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/-/api-docs/limits`);
    await page.getByRole('table', { name: 'GraphQL' }).waitFor();
    await inspect(t, page, 'reference-limits');
    await page.getByRole('searchbox', { name: 'Search limits' }).fill('complexity');
    await page.getByText('250 signed in, 200 without a credential').waitFor();
    await becomes(t, () => rows(page, 'REST').count(), 0);
    untroubled(t, app, watched);
  }),
);

// Contract: references-plans
test.serial(
  'versions and plans are read and searched; all pages but that of the schema take one request together',
  inBrowser(async (t) => {
    const watched = await openPage(app, browser);
    const { page } = watched;
    await page.goto(`${app.url}/-/api-docs/deprecations`);
    await reference(page, 'Limits').click();
    await page.getByRole('table', { name: 'GraphQL' }).waitFor();
    await reference(page, 'Versions and plans').press('Enter');
    await page.getByText('The REST API version is part of its path').waitFor();
    await inspect(t, page, 'reference-versions');
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('dora');
    t.true((await rows(page, 'Operations').count()) > 0);
    const jsonRequests = watched.requests.filter((url) => url.endsWith('.json'));
    t.deepEqual(jsonRequests, [`${app.url}/-/api-docs/contents.json`]);
    untroubled(t, app, watched);
  }),
);

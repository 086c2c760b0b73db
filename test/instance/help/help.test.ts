import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { getOperationTag } from '../../../api/core/openapi/operations.js';
import { withSections } from '../../../api/instance/help/help-pages.js';
import { settingsContents } from '../../../api/instance/api-reference/settings.js';
import { instanceSettings } from '../../../shared/instance/application-settings/settings.js';
import { settingNames } from '#settings/misspelt-settings.mjs';
import { useApp } from '../../core/app.js';
import { helpPages } from '../../core/help-commands.js';

const app = useApp(test);

interface Section {
  id: string;
  title: string;
  level: number;
}

interface HelpPage {
  slug: string;
  title: string;
  html: string;
  sections: Section[];
}

const contents = async () => {
  const { body } = await app.anonymous.raw('GET', '/-/help/contents.json');
  return (body as { groups: { title: string; pages: Omit<HelpPage, 'html'>[] }[] }).groups.flatMap(
    ({ pages }) => pages,
  );
};
const getPage = async (slug: string) => (await app.anonymous.raw('GET', `/-/help/pages/${slug}.json`)).body as HelpPage;
const search = (query: string) =>
  app.anonymous.raw('GET', `/-/help/search.json?${new URLSearchParams({ search: query })}`);

// Contract: help.pages
test('every file of the help is a page in one group, with a title and sections that are found in its HTML', async (t) => {
  const pages = await contents();
  const files = readdirSync('api/help').map((name) => name.replace(/\.md$/, ''));
  const ofSections = files.filter((name) => name.includes('.'));
  t.deepEqual(pages.map(({ slug }) => slug).toSorted(), files.filter((name) => !ofSections.includes(name)).toSorted());
  for (const name of ofSections) {
    const [page, section = ''] = name.split('.');
    const { sections } = pages.find(({ slug }) => slug === page) ?? { sections: [] };
    t.true(
      sections.some(({ id }) => id === section),
      `${name}.md is a section of a page, by its title`,
    );
  }
  t.is(new Set(pages.map(({ title }) => title)).size, pages.length, 'no two pages have one title');
  for (const { slug, title, sections } of pages) {
    const page = await getPage(slug);
    t.like(page, { slug, title, sections }, slug);
    t.true(
      sections.some(({ level }) => level === 2),
      slug,
    );
    for (const { id } of sections) t.true(page.html.includes(` id="user-content-${id}"`), `${slug}#${id}`);
    t.is(new Set(sections.map(({ id }) => id)).size, sections.length, slug);
    t.notRegex(page.html, /<h1|<script|generated:|&lt;!--|\]\(/, slug);
    t.notRegex(page.html, / href="[^"]*\.md/, `${slug}: links are of pages`);
  }
});

// Contract: help.pages
test('a page is packed for whom takes it so, 304 for whom has it, and no page 404', async (t) => {
  const path = '/-/help/pages/install.json';
  const plain = await app.withHeaders({ 'Accept-Encoding': 'identity' }).raw('GET', path);
  t.is(plain.status, 200);
  t.is(plain.headers.get('content-type'), 'application/json');
  const packed = await app.withHeaders({ 'Accept-Encoding': 'br' }).raw('GET', path);
  t.is(packed.headers.get('content-encoding'), 'br');
  t.is(packed.text, plain.text);
  const etag = plain.headers.get('etag') ?? '';
  const again = await app.withHeaders({ 'Accept-Encoding': 'identity', 'If-None-Match': etag }).raw('GET', path);
  t.is(again.status, 304);
  t.is((await app.anonymous.raw('POST', path)).status, 404);
  for (const absent of ['/-/help/pages/none.json', '/-/help/pages/..%2Fapp.json', '/-/help/none', '/help/none.md'])
    t.is((await app.anonymous.raw('GET', absent)).status, 404, absent);
});

test('sections in files of their own stand before the list of operations, or at the end of a page', (t) => {
  const sections = ['## A\n\nFirst.\n', '## B\n'];
  t.is(
    withSections('# Page\n\nIt is.\n\n## API operations\n\nAll.\n', sections),
    '# Page\n\nIt is.\n\n## A\n\nFirst.\n\n## B\n\n## API operations\n\nAll.\n',
  );
  t.is(withSections('# Page\n', sections), '# Page\n\n## A\n\nFirst.\n\n## B\n');
  t.is(withSections('# Page\n', []), '# Page\n');
});

// Contract: help.markdown
test('a client without a browser reads a page as Markdown, with its tables', async (t) => {
  const { status, text, headers } = await app.anonymous.raw('GET', '/help/configuration.md');
  t.is(status, 200);
  t.is(headers.get('content-type'), 'text/markdown; charset=utf-8');
  t.true(text.startsWith('# Configuration\n'));
  t.regex(text, /^\| `PORT` \| `8080` \| Port to listen on\./m);
  t.notRegex(text, /generated:/);
});

// Contract: help.search
test('a search finds the sections that hold every word, those with a match in their title first', async (t) => {
  const { body } = await search('backup');
  t.like(body.matches[0], { slug: 'operate', section: { id: 'backup', title: 'Backup' } });
  t.regex(body.matches[0].excerpt, /three things/);
  const bySetting = (await search('RECEIVE_max_input_size push')).body.matches as { slug: string; excerpt: string }[];
  t.true(bySetting.some(({ slug }) => slug === 'repositories'));
  t.true(bySetting.some(({ slug }) => slug === 'instance-settings'));
  for (const { excerpt } of bySetting) t.true(excerpt.length <= 200, excerpt);
  const operation = (await search('protected_branches')).body.matches as { slug: string }[];
  t.true(
    operation.some(({ slug }) => slug === 'repositories'),
    'operations are found too',
  );
  t.is((await search('the')).body.matches.length, 20);
  for (const none of ['', '  ', 'zeppelin', 'backup zeppelin', '<td>', '&amp;'])
    t.deepEqual((await search(none)).body, { matches: [] }, none);
});

// Contract: help.search
test('a search of more than 200 characters is refused, and one that is no text is none', async (t) => {
  t.is((await search('a'.repeat(200))).status, 200);
  const { status, body } = await search('a'.repeat(201));
  t.is(status, 400);
  t.deepEqual(body, { error: 'search is invalid' });
  t.deepEqual((await app.anonymous.raw('GET', '/-/help/search.json?search[]=backup')).body, { matches: [] });
  t.true((await app.anonymous.raw('GET', '/-/help/search.json?search=%zz')).status < 500);
});

// Contract: help.settings
test('every declared setting is on its page with what it means', async (t) => {
  const described = async (slug: string) => (await getPage(slug)).html;
  const configuration = await described('configuration');
  for (const name of settingNames) t.true(configuration.includes(`<td><code>${name}</code></td>`), name);
  const instance = await described('instance-settings');
  for (const [name, { docs }] of Object.entries(instanceSettings)) {
    t.true(instance.includes(`<td><code>${name}</code></td>`), name);
    t.not(docs, '');
  }
  const containers = await described('project-and-group-settings');
  const { project, group } = settingsContents(allRoutes);
  for (const name of [...Object.keys(project), ...Object.keys(group)])
    t.true(containers.includes(`<td><code>${name}</code></td>`), name);
  t.notRegex(`${configuration}${instance}${containers}`, /undefined|\[object|<td><\/td>\n<td><\/td>/);
});

// Contract: help.operations
test('every area of the API is on a page, with all of its operations', async (t) => {
  const areas = new Map<string, number>();
  for (const route of allRoutes.filter(({ options }) => !options.alias))
    areas.set(getOperationTag(route), (areas.get(getOperationTag(route)) ?? 0) + 1);
  const html = (await Promise.all([...helpPages.keys()].map(async (slug) => (await getPage(slug)).html))).join('\n');
  for (const [area, count] of areas)
    t.true(html.includes(`<summary>${area}: ${count === 1 ? '1 operation' : `${count} operations`}</summary>`), area);
});

/** Addresses of the pages that belong to no project, group or user. */
const pagePatterns = (
  JSON.parse(readFileSync('dist/api/web/pages.json', 'utf8')) as { path: string; pattern: string }[]
)
  .filter(({ path }) => !path.includes(':path+'))
  .map(({ pattern }) => new RegExp(pattern));

// Contract: help.links
test('every link leads to a page, to a section of one, or to an address that is served', async (t) => {
  const pages = await contents();
  const sectionsOf = new Map(
    pages.map(({ slug, sections }) => [slug === 'index' ? '/help' : `/help/${slug}`, sections.map(({ id }) => id)]),
  );
  let count = 0;
  for (const { slug } of pages) {
    const { html } = await getPage(slug);
    for (const [, href = ''] of html.matchAll(/<a(?![^>]*class="anchor")[^>]* href="([^"]*)"/g)) {
      count += 1;
      if (href.startsWith('https://')) continue;
      const [address = '', hash] = href.split('#');
      const at = address === '' ? (slug === 'index' ? '/help' : `/help/${slug}`) : address;
      if (at.startsWith('/help')) {
        t.true(sectionsOf.has(at), `${slug}: ${href}`);
        if (hash !== undefined) t.true(sectionsOf.get(at)?.includes(hash), `${slug}: ${href}`);
      } else t.true(at === '/-/graphql-explorer' || pagePatterns.some((page) => page.test(at)), `${slug}: ${href}`);
    }
  }
  t.true(count > 700);
  const readme = readFileSync('README.md', 'utf8');
  for (const [, slug = '', hash] of readme.matchAll(/\]\(api\/help\/([\w-]+)\.md(?:#([\w-]+))?\)/g)) {
    const sections = sectionsOf.get(slug === 'index' ? '/help' : `/help/${slug}`);
    t.truthy(sections, slug);
    if (hash !== undefined) t.true(sections?.includes(hash), `${slug}#${hash}`);
  }
});

// Contract: help.pages
test('no page names the version that runs, or where it runs', async (t) => {
  const { apiVersion, revision, dataDir } = app.services.config;
  for (const slug of helpPages.keys()) {
    const { html } = await getPage(slug);
    t.false(html.includes(dataDir), slug);
    if (revision !== 'unknown') t.false(html.includes(revision), slug);
    t.is(slug === 'configuration', html.includes(apiVersion), `${slug}: as the default of a setting alone`);
  }
});

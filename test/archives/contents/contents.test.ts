import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import { exportSteps } from '../exports/export-steps.js';
import { archiveObjects, readArchive } from '../exports/read-archive.js';
import { sampleArchive } from '../container-imports/sample-archive.js';
import { getBundle } from '../container-imports/bundle-of.js';
import { sampleProject } from '../container-imports/project-sample.js';
import { contentSteps } from './content-steps.js';
import { dotGitBundle, filesBundle } from './scripted-bundle.js';

const app = useApp(test);
const { exported } = exportSteps(app);
const { sent, failuresOf, filledProject } = contentSteps(app);

test.before('let tests ask as often as they like', () =>
  app.set({
    group_export_limit: 0,
    group_download_export_limit: 0,
    group_import_limit: 0,
    project_export_limit: 0,
    project_download_export_limit: 0,
    project_import_limit: 0,
  }),
);

const imports = () => path.join(app.services.config.dataDir, 'repositories', '@imports');

/** The entry about wikis in the status of an import. */
const wikisIn = (status: { relations: { relation: string }[] }) =>
  status.relations.find(({ relation }) => relation === 'wiki');

// Contract: archives-7.wiki_and_snippets
test('the wiki and the snippets of a project come back from its archive, with their files and comments', async (t) => {
  const { project, snippet, bytes } = await filledProject();
  const names = (await readArchive(bytes)).map(({ name }) => name);
  t.true(names.includes('./project.wiki.bundle'));
  t.true(names.includes(`./snippets/${snippet.id}.bundle`));
  const rows = (await archiveObjects(bytes)).get('./tree/project/snippets.ndjson') as never[];
  t.like(rows[0], { title: 'Two files', visibility_level: 10, file_name: 'a.rb', content: null });
  app.clock.advance('1 hour');
  const { id } = await sent(project.owner, bytes);
  await app.work();
  const as = app.as(project.owner);
  t.like((await as.get(`/projects/${id}/import`)).body, { import_status: 'finished', import_error: null });
  t.deepEqual(await failuresOf(id), []);
  const wiki = (await as.get(`/projects/${id}/wikis?with_content=true`)).body as { slug: string; content: string }[];
  t.deepEqual(
    wiki.map(({ slug, content }) => [slug, content]),
    [
      ['docs/Setup', 'Do this'],
      ['home', '# Welcome'],
    ],
  );
  const { body: snippets } = await as.get(`/projects/${id}/snippets`);
  const copy = snippets.find(({ title }: { title: string }) => title === 'Two files');
  t.like(copy, { description: '*Both*', visibility: 'internal', author: { id: project.owner.id } });
  const { body: before } = await as.get(`/projects/${project.id}/snippets/${snippet.id}`);
  t.is(copy.created_at, before.created_at);
  t.is(copy.updated_at, before.updated_at);
  t.deepEqual(
    copy.files.map((file: { path: string }) => file.path),
    ['a.rb', 'lib/b.rb'],
  );
  const raw = await as.raw('GET', `/api/v4/projects/${id}/snippets/${copy.id}/files/main/lib%2Fb.rb/raw`);
  t.is(raw.text, 'puts 2\n');
  const { body: threads } = await as.get(`/projects/${id}/snippets/${copy.id}/discussions`);
  t.is(threads.length, 1);
  t.regex(threads[0].notes[1].body, /^For this\n\n\*By .* \(imported\)\*$/);
  // It is a wiki like any other: it takes pages.
  t.is((await as.post(`/projects/${id}/wikis`, { title: 'More', content: 'x' })).status, 201);
});

// Contract: archives-3.wikis
test('wikis of groups come back from their archive', async (t) => {
  const owner = await app.build.user();
  const as = app.as(owner);
  const top = (await as.post('/groups', { name: 'Top', path: `top-${unique()}` })).body;
  const below = (await as.post('/groups', { name: 'Below', path: 'below', parent_id: top.id })).body;
  await as.post(`/groups/${top.id}/wikis`, { title: 'home', content: 'Of the top' });
  await as.post(`/groups/${below.id}/wikis`, { title: 'home', content: 'Of what is below' });
  const first = await exported(owner, top.id);
  t.deepEqual(await exported(owner, top.id), first, 'two archives of an unchanged group are the same');
  const names = (await readArchive(first)).map(({ name }) => name);
  for (const { id } of [top, below]) t.true(names.includes(`./repositories/${id}.wiki.bundle`));
  const { path: at } = await sent(owner, first, 'groups');
  await app.work();
  const { body: status } = await as.get(`/groups/${at}/import`);
  t.like(status, { status: 'finished', failures: [] });
  t.deepEqual(wikisIn(status), { relation: 'wiki', total: 2, imported: 2, skipped: 0 });
  for (const [full, content] of [
    [at, 'Of the top'],
    [`${at}/below`, 'Of what is below'],
  ] as const)
    t.is((await as.get(`/groups/${encodeURIComponent(full)}/wikis/home`)).body.content, content);
});

// Contract: archives-5.content_bundles
test('bundles of wikis and snippets that are damaged, or what no snippet may be, are left out and told', async (t) => {
  const archive = sampleProject({
    relations: {
      snippets: [
        { id: 1, title: 'Good', visibility_level: 20 },
        { id: 2, title: 'Too many', visibility_level: 20 },
        { id: 3, title: 'Nothing of it' },
        { id: 4, title: 'By its row', file_name: 'x.txt', content: 'From the row' },
        { id: 5, title: ' ' },
        { id: 6, title: 'Leads outside', file_name: '../x', content: 'x' },
      ],
    },
    files: {
      'project.wiki.bundle': await dotGitBundle(),
      'snippets/1.bundle': await getBundle([
        ['branch', 'side'],
        ['tag', 'v1'],
      ]),
      'snippets/2.bundle': await filesBundle(11),
      'snippets/77.bundle': await getBundle([]),
      'snippets/01.bundle': Buffer.from('another name of the first'),
    },
  });
  const owner = await app.build.user();
  const { id } = await sent(owner, archive);
  await app.work();
  const as = app.as(owner);
  t.is((await as.get(`/projects/${id}/import`)).body.import_status, 'finished');
  const { body: snippets } = await as.get(`/projects/${id}/snippets?order_by=id&sort=asc`);
  t.deepEqual(snippets.map(({ title }: { title: string }) => title).sort(), ['By its row', 'Good']);
  const byRow = snippets.find(({ title }: { title: string }) => title === 'By its row');
  t.is((await as.raw('GET', `/api/v4/projects/${id}/snippets/${byRow.id}/raw`)).text, 'From the row');
  t.deepEqual((await as.get(`/projects/${id}/wikis`)).body, []);
  const failures = await failuresOf(id);
  const of = (file: string) => failures.filter((one) => one.file === file);
  t.regex(of('project.wiki.bundle')[0]?.reason ?? '', /damaged/);
  t.regex(of('snippets/1.bundle')[0]?.reason ?? '', /2 other branches and tags are left out/);
  t.regex(of('snippets/2.bundle')[0]?.reason ?? '', /at most 10/);
  t.regex(of('snippets/77.bundle')[0]?.reason ?? '', /was not imported/);
  t.deepEqual(
    of('tree/project/snippets.ndjson').map(({ line }) => line),
    [5, 2, 3, 6],
  );
  t.false(existsSync(imports()) && readdirSync(imports()).length > 0, 'no bundle is left');
});

test('a group wiki of a group that was left out is told, and nothing else is lost', async (t) => {
  const archive = sampleArchive(
    [{ id: 1 }, { id: 2, attributes: { path: '-not a path-' } }],
    [
      { name: './repositories/2.wiki.bundle', body: await getBundle([]) },
      { name: './repositories/1.wiki.bundle', body: await getBundle([]) },
    ],
  );
  const owner = await app.build.user();
  const { path: at } = await sent(owner, archive, 'groups');
  await app.work();
  const { body } = await app.as(owner).get(`/groups/${at}/import`);
  t.is(body.status, 'finished');
  t.deepEqual(wikisIn(body), { relation: 'wiki', total: 2, imported: 1, skipped: 1 });
  t.regex(JSON.stringify(body.failures), /repositories\/2\.wiki\.bundle.*was not imported/);
});

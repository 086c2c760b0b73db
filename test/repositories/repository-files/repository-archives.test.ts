import { execFileSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import test from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function projectWithFiles() {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/repository`;
  const { body, text, status } = await owner.post(`${path}/commits`, {
    branch: 'main',
    commit_message: 'Files',
    actions: [
      { action: 'create', file_path: 'docs/guide.md', content: 'A guide\n' },
      { action: 'create', file_path: 'docs/*.md', content: 'A star\n' },
      { action: 'create', file_path: 'src/run.sh', content: 'echo\n', execute_filemode: true },
    ],
  });
  if (status !== 201) throw new Error(text);
  const sha = body.id as string;
  const repository = getRepositoryPath(app.context(), project);
  const download = async (rest: string, method = 'GET') => {
    const answer = await fetch(`${app.url}/api/v4${path}/${rest}`, {
      method,
      headers: { 'PRIVATE-TOKEN': project.owner.token },
    });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  /** The tar file that git itself creates. */
  const getTar = (folder: string, ...paths: string[]) =>
    execFileSync('git', [
      `--git-dir=${repository}`,
      'archive',
      '--format=tar',
      `--prefix=${folder}/`,
      sha,
      '--',
      ...paths,
    ]);
  return { project, owner, path, sha, download, tarOf: getTar };
}

/** Paths of the files and folders in a tar file. */
function namesIn(tar: Buffer): string[] {
  const names: string[] = [];
  for (let offset = 0; offset + 512 <= tar.length && tar[offset] !== 0;) {
    const field = (from: number, length: number) =>
      tar.toString('latin1', offset + from, offset + from + length).replace(/\0.*$/, '');
    const parent = field(345, 155);
    if (field(156, 1) !== 'g') names.push(parent === '' ? field(0, 100) : `${parent}/${field(0, 100)}`);
    offset += 512 + Math.ceil(Number.parseInt(field(124, 12), 8) / 512) * 512;
  }
  return names;
}

const getName = (headers: Headers) => /filename="(.*)"/.exec(headers.get('content-disposition') ?? '')?.[1];

// Contract: repository-api.archive
test('an archive is what git creates for the commit, in each format, named by project, ref and commit', async (t) => {
  const { project, sha, download, tarOf } = await projectWithFiles();
  const folder = `${project.path}-main-${sha}`;
  const tar = tarOf(folder);
  const unpack: Record<string, (bytes: Buffer) => Buffer> = {
    'tar.gz': gunzipSync,
    'tar.bz2': (input) => execFileSync('bzip2', ['-dc'], { input }),
    tar: (bytes) => bytes,
  };
  const extensions = {
    '': 'tar.gz',
    '.tar.gz': 'tar.gz',
    '.tgz': 'tar.gz',
    '.gz': 'tar.gz',
    '.tar.bz2': 'tar.bz2',
    '.tbz': 'tar.bz2',
    '.tbz2': 'tar.bz2',
    '.tb2': 'tar.bz2',
    '.bz2': 'tar.bz2',
    '.tar': 'tar',
  };
  for (const [extension, format] of Object.entries(extensions)) {
    const { status, headers, bytes } = await download(`archive${extension}`);
    t.is(status, 200, extension);
    t.is(getName(headers), `${folder}.${format}`, extension);
    t.is(headers.get('content-type'), 'application/octet-stream');
    t.is(headers.get('content-transfer-encoding'), 'binary');
    t.deepEqual(unpack[format]?.(bytes), tar, extension);
  }
  const zip = await download('archive.zip');
  t.is(zip.headers.get('content-type'), 'application/zip');
  t.is(getName(zip.headers), `${folder}.zip`);
  t.is(zip.bytes.toString('latin1', 0, 2), 'PK');
  for (const extension of ['.tar.gz', '.zip'])
    t.deepEqual(
      (await download(`archive${extension}`)).bytes,
      (await download(`archive${extension}`)).bytes,
      'a second download has the same bytes',
    );
});

// Contract: repository-api.archive
test('HEAD returns the status and headers of a download without starting one', async (t) => {
  const { download, project, sha } = await projectWithFiles();
  const { status, headers, bytes } = await download('archive.zip?sha=main', 'HEAD');
  t.deepEqual([status, bytes.length], [200, 0]);
  t.is(getName(headers), `${project.path}-main-${sha}.zip`);
  t.is((await download('archive.zip?sha=gone', 'HEAD')).status, 404);
  t.is((await download('archive?path=gone', 'HEAD')).status, 404);
});

// Contract: repository-api.archive
test('an archive contains the branch, tag or commit that is requested', async (t) => {
  const { download, owner, path, project, sha } = await projectWithFiles();
  await owner.post(`${path}/branches`, { branch: 'feature/x', ref: 'main' });
  const parent = (await owner.get(`${path}/commits/${sha}`)).body.parent_ids[0] as string;
  const branch = await download('archive.tar?sha=feature%2Fx');
  t.is(getName(branch.headers), `${project.path}-feature-x-${sha}.tar`);
  const early = await download(`archive.tar?sha=${parent}`);
  const folder = `${project.path}-${parent}-${parent}`;
  t.deepEqual(namesIn(early.bytes), [`${folder}/`, `${folder}/README.md`]);
  for (const sha of ['gone', 'a'.repeat(40), '', '../main', 'main:docs', '--output=x']) {
    const { status, bytes } = await download(`archive.tar?sha=${encodeURIComponent(sha)}`);
    if (sha === '') t.is(status, 200, 'an empty value counts as omitted');
    else t.deepEqual([status, JSON.parse(bytes.toString()).message], [404, '404 File Not Found'], sha);
  }
  t.is((await download('archive.rar')).status, 400);
  const empty = await app.build.project({ empty: true });
  t.is((await app.as(empty.owner).get(`/projects/${empty.id}/repository/archive`)).status, 404);
});

// Contract: repository-api.archive-paths
test('an archive of a path contains that path alone, and paths can be excluded', async (t) => {
  const { download, tarOf, project, sha } = await projectWithFiles();
  const folder = `${project.path}-main-${sha}-docs`;
  const docs = await download('archive.tar?path=docs');
  t.is(getName(docs.headers), `${folder}.tar`);
  t.deepEqual(docs.bytes, tarOf(folder, 'docs'));
  const star = namesIn((await download('archive.tar?path=docs%2F*.md')).bytes);
  t.deepEqual(
    star.filter((name) => name.endsWith('.md')).map((name) => name.split('/').slice(1).join('/')),
    ['docs/*.md'],
  );
  const rest = namesIn((await download('archive.tar?exclude_paths=docs,README.md')).bytes);
  t.deepEqual(
    rest.filter((name) => !name.endsWith('/')).map((name) => name.split('/').slice(1).join('/')),
    ['src/run.sh'],
  );
  const both = namesIn((await download('archive.tar?path=docs&exclude_paths=docs%2Fguide.md')).bytes);
  t.true(both.some((name) => name.endsWith('docs/*.md')) && !both.some((name) => name.endsWith('guide.md')));
});

// Contract: repository-api.archive-paths
test('a path that does not exist or leads out of the repository is 404', async (t) => {
  const { download } = await projectWithFiles();
  const bad = [
    'gone',
    '..',
    '../..',
    'docs/../../x',
    'docs/..',
    '.git',
    'a//b',
    ':(glob)docs',
    'do*',
    'docs/guide.md/x',
  ];
  for (const name of ['path', 'exclude_paths'])
    for (const path of bad) {
      // Excluded paths need not exist.
      const { status, bytes } = await download(`archive.tar?${name}=${encodeURIComponent(path)}`);
      const isIgnored = name === 'exclude_paths' && !/\.\.|\.git|\/\//.test(path);
      if (isIgnored) t.is(status, 200, path);
      else t.deepEqual([status, JSON.parse(bytes.toString()).message], [404, '404 File Not Found'], `${name} ${path}`);
    }
});

// Contract: repository-api.archive-roles
test('archives are for whoever may read the code, also with tokens for repositories', async (t) => {
  const { project, path } = await projectWithFiles();
  t.is((await app.anonymous.get(`${path}/archive`)).status, 404);
  t.is((await app.as(await app.build.member(project, 'guest')).get(`${path}/archive`)).status, 403);
  const reporter = await app.build.member(project, 'reporter');
  t.is((await app.as(reporter).head(`${path}/archive`)).status, 200);
  const token = await app.build.token(reporter, { scopes: ['read_repository'] });
  t.is((await app.as(token).head(`${path}/archive`)).status, 200);
  const other = await app.build.token(reporter, { scopes: ['read_user'] });
  t.is((await app.as(other).head(`${path}/archive`)).status, 403);
});

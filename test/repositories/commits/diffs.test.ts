import test from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';

const app = useApp(test);

interface DiffResponse {
  old_path: string;
  new_path: string;
  a_mode: string;
  b_mode: string;
  diff: string;
  renamed_file: boolean;
  generated_file: boolean;
  too_large: boolean;
  collapsed: boolean;
}

type File = readonly [mode: string, content: string | Buffer];

/** A project with commits of files as git itself makes them, however large they are. */
async function projectWithGit() {
  const project = await app.build.project();
  const repository = getRepositoryPath(app.context(), project);
  const owner = app.as(project.owner);
  const getTree = (files: Record<string, File>) => {
    const lines = Object.entries(files).map(([name, [mode, content]]) => {
      if (mode === '160000') return `160000 commit ${String(content)}\t${name}\n`;
      if (mode === '040000') return `040000 tree ${String(content)}\t${name}\n`;
      return `${mode} blob ${plainGit(repository, ['hash-object', '-w', '--stdin'], content).trim()}\t${name}\n`;
    });
    return plainGit(repository, ['mktree', '--missing'], lines.join('')).trim();
  };
  const commit = (tree: string, parent?: string) =>
    plainGit(repository, ['commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent]), '-m', 'Files']).trim();
  const path = `/projects/${project.id}/repository/commits`;
  const diff = async (sha: string, query = 'per_page=100') => {
    const { status, body, text, headers } = await owner.get(`${path}/${sha}/diff?${query}`);
    if (status !== 200) throw new Error(text);
    return { files: body as DiffResponse[], total: headers.get('x-total') };
  };
  return { project, repository, owner, treeOf: getTree, commit, diff };
}

const plain = '100644';

// Contract: repository-api.diff-kinds
test('links and submodules are told as what they lead to, and a file that becomes a link as both', async (t) => {
  const { treeOf, commit, diff } = await projectWithGit();
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
  const before = commit(
    treeOf({ link: ['120000', 'there'], module: ['160000', one], turned: [plain, 'a file\n'], gone: ['160000', one] }),
  );
  const after = commit(
    treeOf({ link: ['120000', 'elsewhere'], module: ['160000', two], turned: ['120000', 'target'] }),
    before,
  );
  const byPath = Object.fromEntries((await diff(after)).files.map((file) => [file.new_path, file]));
  t.is(
    byPath.link?.diff,
    '@@ -1 +1 @@\n-there\n\\ No newline at end of file\n+elsewhere\n\\ No newline at end of file\n',
  );
  t.like(byPath.link, { a_mode: '120000', b_mode: '120000' });
  t.is(byPath.module?.diff, `@@ -1 +1 @@\n-Subproject commit ${one}\n+Subproject commit ${two}\n`);
  t.is(byPath.gone?.diff, `@@ -1 +0,0 @@\n-Subproject commit ${one}\n`);
  t.like(byPath.turned, { a_mode: '100644', b_mode: '120000' });
  t.regex(byPath.turned?.diff ?? '', /^@@ -1 \+0,0 @@\n-a file\n@@ -0,0 \+1 @@\n\+target\n/);
});

// Contract: repository-api.diff-attributes
test('attributes say whose lines are not compared and what a tool wrote', async (t) => {
  const { treeOf, commit, diff } = await projectWithGit();
  const below: Record<string, File> = {
    '.gitattributes': [plain, 'mine.lock diff\n*.gen -linguist-generated\n'],
    'mine.lock': [plain, 'told\n'],
    'x.gen': [plain, 'own\n'],
  };
  const attributes =
    '*.lock -diff\n*.dat binary\n*.gen linguist-generated\n*.min.js -linguist-generated\n"a b" linguist-generated=true\n';
  const sha = commit(
    treeOf({
      '.gitattributes': [plain, attributes],
      'package.lock': [plain, 'hidden\n'],
      'x.dat': [plain, 'hidden\n'],
      'x.gen': [plain, 'a\n'],
      'x.min.js': [plain, 'a\n'],
      'y.pb.go': [plain, 'a\n'],
      'a b': [plain, 'a\n'],
      lib: ['040000', treeOf(below)],
    }),
  );
  const files = (await diff(sha)).files;
  const byPath = Object.fromEntries(
    files.map((file) => [file.new_path, [file.diff.split('\n', 2)[1], file.generated_file]]),
  );
  t.deepEqual(byPath, {
    '.gitattributes': ['+*.lock -diff', false],
    'a b': ['+a', true],
    'lib/.gitattributes': ['+mine.lock diff', false],
    'lib/mine.lock': ['+told', false],
    'lib/x.gen': ['+own', false],
    'package.lock': ['', false],
    'x.dat': ['', false],
    'x.gen': ['+a', true],
    'x.min.js': ['+a', false],
    'y.pb.go': ['+a', true],
  });
  const lock = files.find((file) => file.new_path === 'package.lock');
  t.is(lock?.diff, 'Binary files /dev/null and b/package.lock differ\n');
});

/** A file of this content under many names, in order. */
function manyFiles({ repository }: { repository: string }, count: number, content: string): string {
  const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], content).trim();
  const names = Array.from({ length: count }, (_, index) => `f${String(index).padStart(5, '0')}`);
  return plainGit(repository, ['mktree'], names.map((name) => `100644 blob ${blob}\t${name}\n`).join('')).trim();
}

// Contract: repository-api.diff-limits
test('of a diff of more than 3,000 files the others are named, without their lines', async (t) => {
  const project = await projectWithGit();
  const sha = project.commit(manyFiles(project, 3050, 'x\n'));
  const { files, total } = await project.diff(sha);
  t.is(total, '3050');
  t.true(files.every((file) => file.diff === '@@ -0,0 +1 @@\n+x\n' && !file.too_large));
  const last = (await project.diff(sha, 'per_page=100&page=31')).files;
  t.is(last.length, 50);
  t.true(last.every((file) => file.diff === '' && file.too_large && !file.collapsed));
  t.is(last.at(-1)?.new_path, 'f03049');
  const border = (await project.diff(sha, 'per_page=40&page=76')).files;
  t.deepEqual(
    border.map((file) => file.too_large),
    border.map((file) => file.new_path >= 'f03000'),
  );
});

// Contract: repository-api.diff-limits
test('a diff tells 100,000 lines, counted from its first file, whatever the page', async (t) => {
  const project = await projectWithGit();
  // Each has 1,001 lines of hunks with its header.
  const sha = project.commit(manyFiles(project, 120, 'x\n'.repeat(1000)));
  const { files } = await project.diff(sha);
  t.deepEqual(
    files.map((file) => file.too_large),
    files.map((_, index) => index >= 99),
  );
  t.true(files.every((file) => (file.diff === '') === file.too_large));
  const last = (await project.diff(sha, 'per_page=20&page=6')).files;
  t.deepEqual([last.length, last.every((file) => file.too_large)], [20, true]);
});

// Contract: repository-api.diff-large
test('files of many megabytes, and lines of a hundred, are binary, and are not read to find renames', async (t) => {
  t.timeout(180_000);
  const { treeOf, commit, diff } = await projectWithGit();
  const large = Buffer.alloc(80 * 2 ** 20, 'x\n');
  const changed = Buffer.concat([large, Buffer.from('more\n')]);
  const line = Buffer.alloc(100 * 2 ** 20, 'y');
  const before = commit(
    treeOf({ 'a-large': [plain, large], line: [plain, line.subarray(1)], same: [plain, 'same\n'] }),
  );
  const after = commit(treeOf({ 'b-large': [plain, changed], line: [plain, line], moved: [plain, 'same\n'] }), before);
  const { files } = await diff(after);
  t.deepEqual(
    files.map(({ old_path, new_path, diff: text }) => [old_path, new_path, text]),
    [
      ['a-large', 'a-large', 'Binary files a/a-large and /dev/null differ\n'],
      ['b-large', 'b-large', 'Binary files /dev/null and b/b-large differ\n'],
      ['line', 'line', 'Binary files a/line and b/line differ\n'],
      ['same', 'moved', ''],
    ],
  );
});

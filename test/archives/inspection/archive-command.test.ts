import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { sampleArchive } from '../container-imports/sample-archive.js';
import type { SampleGroup } from '../container-imports/sample-archive.js';
import { getBundle } from '../container-imports/bundle-of.js';
import { sampleProject } from '../container-imports/project-sample.js';

const run = promisify(execFile);

let folder: string;
test.before('a folder for archives', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'archive-command-'));
});
test.after.always('remove it', () => rm(folder, { recursive: true, force: true }));

let written = 0;
async function file(archive: Buffer): Promise<string> {
  const name = path.join(folder, `${(written += 1)}.tar.gz`);
  await writeFile(name, archive);
  return name;
}

/** The command as its users run it, but for npm. */
async function archive(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    return { code: 0, ...(await run(process.execPath, ['dist/shared/archive.js', ...args])) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

const label = (id: number, title: string) => ({ id, title, color: '#112233', created_at: '2030-01-01T00:00:00Z' });

// Contract: archives-inspect
test('an archive of groups is told with its groups, relations, sizes and problems', async (t) => {
  const wiki = await getBundle([]);
  const name = await file(
    sampleArchive(
      [
        { id: 5, attributes: { path: 'tree' }, relations: { labels: [label(1, 'a'), label(2, 'b'), { id: 3 }] } },
        { id: 9, attributes: { path: 'be\u001b[31mlow' }, relations: { milestones: [{ id: 1, title: 'M' }] } },
      ],
      [{ name: './repositories/5.wiki.bundle', body: wiki }],
    ),
  );
  const { code, stdout } = await archive('inspect', name);
  t.is(code, 0);
  const lines = stdout.split('\n');
  t.is(lines[0], 'archive of a group, layout 0.2.4');
  t.true(lines.includes('groups: 2'));
  t.true(lines.includes('  5 "tree": wiki 1, labels 2'), stdout);
  t.true(lines.includes('  labels: 3, 1 left out'));
  t.true(lines.includes(`  repositories/5.wiki.bundle: ${wiki.length} bytes, 1 refs`), stdout);
  t.true(lines.includes('problems: 1'));
  t.regex(stdout, /tree\/groups\/5\/labels\.ndjson:3 \(labels\) /);
  t.false(stdout.includes('\u001b'), 'terminals are told nothing');
});

test('what an import would refuse is told as such', async (t) => {
  const cut = sampleArchive([{ id: 5 }]).subarray(0, 200);
  t.like(await archive('inspect', await file(cut)), { code: 2, stdout: '' });
  const { stderr } = await archive('inspect', await file(Buffer.from('no archive')));
  t.regex(stderr, /An import would refuse it: The archive is not compressed by gzip/);
  t.is((await archive('inspect', path.join(folder, 'nowhere'))).code, 2);
});

// Contract: archives-diff
test('two archives are compared but for ids and times', async (t) => {
  const one = (changes: Record<string, unknown> = {}, more: Record<string, unknown>[] = []): SampleGroup[] => [
    {
      id: 5,
      attributes: { name: 'Tree', path: 'tree', description: 'D', ...changes },
      relations: { labels: [label(1, 'a'), ...more] },
    },
    { id: 9, attributes: { name: 'Below', path: 'below' }, relations: { milestones: [{ id: 1, title: 'M' }] } },
  ];
  const first = await file(sampleArchive(one()));
  const later = one().map((group) => ({ ...group, id: group.id + 100 }));
  later[0]!.relations = { labels: [{ ...label(77, 'a'), created_at: '2031-01-01T00:00:00Z' }] };
  t.deepEqual(await archive('diff', first, await file(sampleArchive(later))), {
    code: 0,
    stdout: 'no difference\n',
    stderr: '',
  });
  const other = await archive('diff', first, await file(sampleArchive(one({ description: 'E' }, [label(2, 'b')]))));
  t.is(other.code, 1);
  t.deepEqual(other.stdout.split('\n'), ['attributes:', '  description: "D" is "E"', '"labels":', '  + "b"', '']);
  const project = await file(sampleProject({ bundle: await getBundle([]) }));
  t.like(await archive('diff', first, project), { code: 2 });
  const tagged = await file(sampleProject({ bundle: await getBundle([['tag', 'v1']]) }));
  const bundles = await archive('diff', project, tagged);
  t.regex(bundles.stdout, /^bundles:\n {2}- "project\.bundle/);
});

import test from 'ava';
import { commitsOfRanges, countFiles, countRange, filesOfRanges, listRange } from '../../shared/git/index.js';
import { commitOn, emptyRepository, file, noon, plainGit } from './git-fixture.js';

/** A history with lines of development that part, meet, and never meet, made at times that are out of order. */
async function tangled(repository: string): Promise<string[]> {
  const shas: string[] = [];
  const at = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);
  const commit = async (branch: string, base: string | null, name: string, minutes: number) => {
    shas.push(await commitOn(repository, base, [file(name)], { branch, at: at(minutes), message: name }));
    return shas.at(-1)!;
  };
  const merge = (one: string, other: string, minutes: number) => {
    const time = String(at(minutes).getTime() / 1000);
    const tree = plainGit(repository, ['rev-parse', `${one}^{tree}`]).trim();
    const text = `tree ${tree}\nparent ${one}\nparent ${other}\nauthor x <x> ${time} +0000\ncommitter x <x> ${time} +0000\n\nmerge\n`;
    shas.push(plainGit(repository, ['hash-object', '-t', 'commit', '-w', '--stdin'], text).trim());
    return shas.at(-1)!;
  };
  const root = await commit('main', null, 'root', 0);
  const one = await commit('one', root, 'one', 50);
  const two = await commit('two', root, 'two', 10);
  const older = await commit('one', one, 'older than its parent', 5);
  const met = merge(two, older, 60);
  const same = await commit('same', met, 'same', 60);
  const other = await commit('other', met, 'other', 60);
  merge(same, other, 55);
  merge(other, one, 70);
  await commit('alone', null, 'alone', 20);
  return shas;
}

test('what ranges have is told of all of them as of each by itself', async (t) => {
  const repository = await emptyRepository(t);
  const shas = await tangled(repository);
  const ranges = shas.flatMap((from) => shas.map((to) => ({ from, to })));
  const found = await commitsOfRanges(repository, ranges, 5);
  const files = await filesOfRanges(repository, ranges);
  t.is(found?.length, ranges.length);
  for (const [index, range] of ranges.entries()) {
    const name = `${shas.indexOf(range.from)}..${shas.indexOf(range.to)}`;
    t.deepEqual(found?.[index]?.shas, await listRange(repository, range, 5), name);
    t.is(found?.[index]?.count, await countRange(repository, range), name);
    t.is(files?.[index], await countFiles(repository, range, 1000), name);
  }
  const some = ranges.slice(0, 15);
  t.deepEqual(await commitsOfRanges(repository, some, 5), found?.slice(0, 15), 'whichever are asked for together');
  t.deepEqual(await commitsOfRanges(repository, [], 5), []);
  t.deepEqual(await filesOfRanges(repository, []), []);
});

test('files that were renamed count once, and a name like an id is a name', async (t) => {
  const repository = await emptyRepository(t);
  const id = 'a'.repeat(40);
  const from = await commitOn(repository, null, [file('old', 'x\n'.repeat(100)), file(id), file('same')]);
  const to = await commitOn(repository, from, [
    { action: 'move', previous_path: 'old', file_path: 'R100' },
    { action: 'update', file_path: id, content: Buffer.from('new') },
  ]);
  const ranges = [
    { from, to },
    { from, to: from },
    { from: to, to: from },
  ];
  t.deepEqual(await filesOfRanges(repository, ranges), [2, 0, 2]);
});

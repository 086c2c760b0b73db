import { randomBytes } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { deepPack } from '../../git/tree-bombs.js';
import { quarantines, refsIn, workTree } from './push-client.js';
import { getCommands, getCommit, EMPTY_PACK, entry, getId, line, NONE, getPack, rawPush, getTree } from './raw-push.js';
import type { Command } from './raw-push.js';

const app = useApp(test);
const MIB = 1024 * 1024;
const REF = 'refs/heads/forged';

let project: Awaited<ReturnType<typeof app.build.project>>;
let head: string;
let stored: string;

const getObjects = () => plainGit(getRepositoryPath(app.context(), project), ['count-objects', '-v']);

test.serial.before('a project', async () => {
  project = await app.build.project();
  head = Object.values(await refsIn(app, project))[0]!;
  stored = getObjects();
});

const push = (commands: readonly Command[] | Buffer, how: Parameters<typeof rawPush>[4] = {}) =>
  rawPush(app, project, project.owner, commands, how);

/** Nothing of what came is there. */
async function untouched(t: ExecutionContext, what: string) {
  t.deepEqual(await refsIn(app, project), { 'refs/heads/main': head }, what);
  t.deepEqual(quarantines(app, project), [], what);
  t.is(getObjects(), stored, what);
}

/** A pack with a commit of a tree with these entries, and the given blobs. */
function forged(tree: Buffer, ...more: readonly Buffer[]) {
  const commit = getCommit(getId('tree', tree));
  return { sha: getId('commit', commit), pack: getPack([entry('commit', commit), entry('tree', tree), ...more]) };
}

const blob = Buffer.from('content\n');

// Contract: git-http-bad.packs
test.serial('trees and files that would harm who checks them out are refused, each with what git says', async (t) => {
  const id = getId('blob', blob);
  const modules = Buffer.from('[submodule "x"]\n\tpath = x\n\turl = -u./payload\n');
  const cases: [string, Buffer, RegExp, Buffer?][] = [
    ['.git', getTree(['100644', '.git', id]), /hasDotgit/],
    ['.GIT', getTree(['100644', '.GIT', id]), /hasDotgit/],
    ['git~1', getTree(['100644', 'git~1', id]), /hasDotgit/],
    ['..', getTree(['100644', '..', id]), /hasDotdot/],
    ['.', getTree(['100644', '.', id]), /hasDot/],
    ['a/b', getTree(['100644', 'a/b', id]), /fullPathname/],
    ['twice', getTree(['100644', 'a', id], ['100644', 'a', id]), /duplicateEntries/],
    ['unsorted', getTree(['100644', 'b', id], ['100644', 'a', id]), /treeNotSorted/],
    [
      '.gitmodules',
      getTree(['100644', '.gitmodules', getId('blob', modules)]),
      /gitmodulesUrl/,
      entry('blob', modules),
    ],
    ['.gitmodules as a link', getTree(['120000', '.gitmodules', id]), /gitmodulesSymlink/],
  ];
  for (const [name, tree, pattern, more] of cases) {
    const { sha, pack } = forged(tree, entry('blob', blob), ...(more ? [more] : []));
    const { unpack, refs } = await push([[REF, sha]], { pack });
    t.regex(unpack ?? '', pattern, name);
    t.is(refs[REF], 'the objects were not taken', name);
    await untouched(t, name);
  }
});

// Contract: git-http-bad.packs
test.serial(
  'a link to an absolute path is a file like any other, and slips of old programs are let through',
  async (t) => {
    const other = await app.build.project({ owner: project.owner });
    const id = getId('blob', blob);
    const padded = getTree(['040000', 'dir', getId('tree', getTree(['120000', 'link', id]))]);
    const commit = Buffer.from(getCommit(getId('tree', padded)).toString().replaceAll('+0000', '+051800'));
    const pack = getPack([
      entry('commit', commit),
      entry('tree', padded),
      entry('tree', getTree(['120000', 'link', id])),
      entry('blob', blob),
    ]);
    const { unpack, refs } = await rawPush(app, other, project.owner, [[REF, getId('commit', commit)]], { pack });
    t.deepEqual([unpack, refs[REF]], ['ok', 'ok']);
  },
);

// Contract: git-http-bad.cut
test.serial('a pack that is cut anywhere, or has another digest, is refused', async (t) => {
  const large = randomBytes(10_000);
  const { sha, pack } = forged(getTree(['100644', 'large', getId('blob', large)]), entry('blob', large));
  const cuts = [0, 1, 4, 11, 12, 13, 31, 32, 100, pack.length - 21, pack.length - 20, pack.length - 1];
  for (let at = 1000; at < pack.length; at += 1000) cuts.push(at);
  for (const at of cuts) {
    const { unpack, refs } = await push([[REF, sha]], { pack: pack.subarray(0, at) });
    t.regex(unpack ?? '', /not whole|did not come|no pack/, `cut at ${at}`);
    t.not(refs[REF], 'ok');
  }
  const wrong = Buffer.from(pack);
  wrong[wrong.length - 1]! ^= 1;
  t.regex((await push([[REF, sha]], { pack: wrong })).unpack ?? '', /SHA1 mismatch|not right/);
  for (const at of [0, 5, 20, 60, 200]) {
    const flipped = Buffer.from(pack);
    flipped[at]! ^= 0xff;
    t.not((await push([[REF, sha]], { pack: flipped })).unpack, 'ok', `byte ${at}`);
  }
  const empty = Buffer.from(EMPTY_PACK);
  empty[31]! ^= 1;
  t.not((await push([[REF, head]], { pack: empty })).unpack, 'ok');
  await untouched(t, 'cuts');
});

/** Numbers as deltas have them: 7 bits a byte, the lowest first. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

/** A delta that repeats the base's first 16 MiB less one so often. */
function repeating(baseSize: number, times: number): Buffer {
  const most = Math.min(baseSize, 0xffffff);
  const copy = [0x80 | 0x70, most & 255, (most >> 8) & 255, (most >> 16) & 255];
  return Buffer.from([
    ...varint(baseSize),
    ...varint(most * times),
    ...Array.from({ length: times }, () => copy).flat(),
  ]);
}

// Contract: git-http-bad.bombs
test.serial(
  'packs that announce more than they have, lead in circles or unpack to a flood are refused soon',
  async (t) => {
    const { sha } = forged(getTree(['100644', 'a', getId('blob', blob)]));
    const anyone = Buffer.from('11'.repeat(20), 'hex');
    const other = Buffer.from('22'.repeat(20), 'hex');
    const tree = entry('tree', Buffer.alloc(0), undefined, 2 ** 40);
    const huge = entry(
      'ref',
      Buffer.from([...varint(8), ...varint(2 ** 40), 0x90, 8]),
      Buffer.from(getId('blob', blob), 'hex'),
    );
    const cases: [string, Buffer][] = [
      ['2^32 objects', getPack([entry('blob', blob)], 2 ** 32 - 1)],
      ['15 million objects', getPack([entry('blob', blob)], 15_000_000)],
      ['more than there are', getPack([entry('blob', blob)], 2)],
      ['a tree of 1 TB', getPack([tree])],
      ['a delta of 1 TB', getPack([entry('blob', blob), huge])],
      ['a delta of what is not there', getPack([entry('ref', repeating(8, 1), anyone)])],
      ['deltas in a circle', getPack([entry('ref', repeating(8, 1), anyone), entry('ref', repeating(8, 1), other)])],
      ['a delta of itself', getPack([entry('ofs', repeating(8, 1), Buffer.from([0]))])],
      ['a delta of what comes before the pack', getPack([entry('ofs', repeating(8, 1), Buffer.from([0xff, 0x7f]))])],
      ['an unknown type', getPack([Buffer.concat([Buffer.from([0x50]), deflateSync(blob)])])],
    ];
    for (const [name, pack] of cases) {
      const { unpack, refs } = await push([[REF, sha]], { pack });
      t.truthy(unpack, name);
      t.not(unpack, 'ok', name);
      t.not(refs[REF], 'ok', name);
      await untouched(t, name);
    }
  },
);

// Contract: git-http-bad.missing
test.serial('objects that lead to what is not there come in by no way', async (t) => {
  const lost = getId('blob', Buffer.from('never sent'));
  const bad: [string, { sha: string; pack: Buffer }][] = [
    ['a tree without its blob', forged(getTree(['100644', 'a', lost]))],
    ['nothing at all', { sha: lost, pack: EMPTY_PACK }],
    [
      'a commit without its parent',
      (() => {
        const tree = getTree();
        const commit = getCommit(getId('tree', tree), ['1'.repeat(40)]);
        return { sha: getId('commit', commit), pack: getPack([entry('commit', commit), entry('tree', tree)]) };
      })(),
    ],
  ];
  for (const [name, { sha, pack }] of bad) {
    const { unpack, refs } = await push([[REF, sha]], { pack });
    t.not(unpack, 'ok', name);
    t.not(refs[REF], 'ok', name);
    await untouched(t, name);
  }
  const repository = getRepositoryPath(app.context(), project);
  const inner = plainGit(repository, ['rev-parse', `${head}^{tree}`]).trim();
  const held = await push([
    [REF, inner],
    ['refs/tags/tree', inner],
  ]);
  t.deepEqual(held.refs, {
    [REF]: 'A branch holds a commit, and a tag leads to one.',
    'refs/tags/tree': 'A branch holds a commit, and a tag leads to one.',
  });
  await untouched(t, 'a tree');
});

// Contract: git-http-bad.push-lines
test.serial('what is no line or no command of a push is 400, and starts nothing', async (t) => {
  const command = `${NONE} ${head} ${REF}`;
  const bad: (string | Buffer)[] = [
    '',
    '0003',
    '0001',
    '0002',
    'fff1',
    `fff1${'x'.repeat(65_517)}`,
    'zzzz',
    '-001',
    '+004',
    '\0\0\0\0',
    line('x'),
    line(command),
    Buffer.concat([line('x'), Buffer.from('0000')]),
    Buffer.concat([line(`${command}\0report-status`), line(`${command}\0again`), Buffer.from('0000')]),
    Buffer.concat([line(`${NONE} ${head.toUpperCase()} ${REF}`), Buffer.from('0000')]),
    Buffer.concat([line(`${NONE} ${head.slice(1)} ${REF}`), Buffer.from('0000')]),
    Buffer.concat([line(`${NONE}${NONE.slice(16)} ${head}${NONE.slice(16)} ${REF}`), Buffer.from('0000')]),
    Buffer.concat([line('shallow main'), Buffer.from('0000')]),
    Buffer.concat([line('push-cert\0report-status'), Buffer.from('0000')]),
    Buffer.concat([line(`${command}\0push-options`), Buffer.from('0000'), line('an option')]),
  ];
  for (const body of bad) {
    const { status, text } = await push(Buffer.from(body as string), { pack: Buffer.alloc(0) });
    t.deepEqual(
      [status, text],
      [400, 'This is no request of git.\n'],
      JSON.stringify(body.toString('utf8').slice(0, 60)),
    );
  }
  t.deepEqual(await push(Buffer.from('0000'), { pack: Buffer.alloc(0) }), {
    status: 200,
    text: '',
    unpack: undefined,
    refs: {},
  });
  await untouched(t, 'lines');
});

// Contract: git-http-bad.ref-names
test.serial('refs whose names may not come in are refused each by itself', async (t) => {
  const names = [
    'refs/heads/-x',
    'refs/heads/HEAD',
    'refs/heads/a..b',
    'refs/heads/a b',
    'refs/heads/a\tb',
    'refs/heads/.a',
    'refs/heads/a.lock',
    'refs/heads/a//b',
    'refs/heads/a/',
    'refs/heads/@{1}',
    'refs/heads/a\\b',
    'refs/heads/a\u0007',
    `refs/heads/${head}`,
    `refs/heads/${'n'.repeat(1025)}`,
    `refs/heads/${'n/'.repeat(512)}n`,
    'refs/tags/refs/tags/v1',
    'refs/heads/',
    'refs/heads',
    'refs/remote/heads/main',
    'refs/keep-around/x',
    'refs/../../x',
    'HEAD',
    'main',
    '/etc/passwd',
    '--upload-pack=touch x',
    '$(id)',
    '',
  ].filter((name) => name !== '');
  const { refs, unpack } = await push(names.map((name) => [name, head]));
  t.is(unpack, 'ok');
  for (const name of names) {
    // A name with a space or the like is read as one that ends there.
    const outcome = refs[name] ?? refs[name.split(/\s/)[0]!];
    t.truthy(outcome, name);
    t.not(outcome, 'ok', name);
  }
  await untouched(t, 'names');
});

// Contract: git-http-bad.names-beside
test.serial('a beside a/b is refused, a branch and a tag of one name stand beside each other', async (t) => {
  const other = await app.build.project({ owner: project.owner });
  const at = Object.values(await refsIn(app, other))[0]!;
  const to = (...names: string[]) =>
    rawPush(
      app,
      other,
      project.owner,
      names.map((name): Command => [name, at]),
    );
  t.is((await to('refs/heads/a/b')).refs['refs/heads/a/b'], 'ok');
  for (const name of ['refs/heads/a', 'refs/heads/a/b/c', 'refs/heads/main/x'])
    t.regex((await to(name)).refs[name] ?? '', /cannot stand beside/, name);
  const both = await to('refs/heads/x', 'refs/heads/x/y', 'refs/heads/z');
  t.regex(both.refs['refs/heads/x'] ?? '', /cannot stand beside/);
  t.regex(both.refs['refs/heads/x/y'] ?? '', /cannot stand beside/);
  t.is(both.refs['refs/heads/z'], 'ok');
  t.is((await to('refs/tags/z')).refs['refs/tags/z'], 'ok');
  const twice = await to('refs/heads/t', 'refs/heads/t');
  t.is(twice.refs['refs/heads/t'], 'One push changes it twice.');
  t.deepEqual(Object.keys(await refsIn(app, other)), [
    'refs/heads/a/b',
    'refs/heads/main',
    'refs/heads/z',
    'refs/tags/z',
  ]);
});

// Contract: git-http-bad.commands
test.serial('100,000 commands, and options without end, are refused in words', async (t) => {
  const commands = Array.from({ length: 100_000 }, (_, index): Command => [`refs/heads/x${index}`, head]);
  const { status, unpack, refs } = await push(commands);
  t.deepEqual([status, unpack], [200, 'A push may change 50000 branches and tags. Push fewer at a time.']);
  t.is(refs['refs/heads/x0'], unpack);
  const options = (count: number, length: number) =>
    Buffer.concat([
      getCommands([[REF, head]], 'report-status push-options'),
      ...Array.from({ length: count }, () => line('o'.repeat(length))),
      Buffer.from('0000'),
    ]);
  for (const [count, length] of [
    [101, 1],
    [2, 40_000],
  ] as const)
    t.regex((await push(options(count, length))).unpack ?? '', /push options/);
  await untouched(t, 'commands');
});

// Contract: git-http-bad.push-size
test.serial('receive_max_input_size is enforced to the byte, while bytes arrive', async (t) => {
  const content = randomBytes(MIB);
  const buildPack = (size: number) => {
    const part = content.subarray(0, size);
    return forged(getTree(['100644', 'large', getId('blob', part)]), entry('blob', part));
  };
  let size = MIB - 1000;
  for (let step = 512; step >= 1; step /= 2) if (buildPack(size + step).pack.length <= MIB) size += step;
  const [fits, over] = [buildPack(size), buildPack(size + 1)];
  t.true(over.pack.length > MIB && over.pack.length < MIB + 20);
  await app.set({ receive_max_input_size: 1 });
  try {
    const rejection = await push([[REF, over.sha]], { pack: over.pack });
    t.is(rejection.unpack, 'A push may bring 1 MiB at most.');
    await untouched(t, 'over');
    const other = await app.build.project({ owner: project.owner });
    const outcome = await rawPush(app, other, project.owner, [[REF, fits.sha]], { pack: fits.pack });
    t.is(outcome.refs[REF], 'ok', outcome.text);
    const work = await workTree(t, app, project, { as: project.owner });
    await work.commit('large.bin', randomBytes(6 * MIB));
    const result = await work.push(['HEAD:refs/heads/large']);
    t.is(result.code, 1);
    t.regex(result.stderr, /remote: A push may bring 1 MiB at most\./);
    t.is(result.refs['refs/heads/large'], '[remote rejected] (the objects were not taken)');
  } finally {
    await app.set({ receive_max_input_size: 0 });
  }
  await untouched(t, 'told');
});

// Contract: git-http-bad.push-gzip
test.serial('a push as gzip is taken, and one that unpacks to a flood is not', async (t) => {
  const other = await app.build.project({ owner: project.owner });
  const headers = { 'Content-Encoding': 'gzip' };
  const { sha, pack } = forged(getTree(['100644', 'a', getId('blob', blob)]), entry('blob', blob));
  const outcome = await rawPush(app, other, project.owner, [[REF, sha]], {
    pack,
    headers,
    body: (plain) => gzipSync(plain),
  });
  t.is(outcome.refs[REF], 'ok', outcome.text);
  const zeros = Buffer.alloc(100 * MIB);
  const bomb = getPack([entry('blob', Buffer.alloc(0), zeros)]);
  const before = process.memoryUsage().arrayBuffers;
  const rejection = await push([[REF, sha]], { pack: bomb, headers, body: (plain) => gzipSync(plain) });
  t.not(rejection.unpack, 'ok');
  t.true(process.memoryUsage().arrayBuffers - before < 400 * MIB);
  for (const coding of ['br', 'deflate'])
    t.is((await push([[REF, sha]], { headers: { 'Content-Encoding': coding } })).status, 415);
  t.is((await push([[REF, sha]], { headers: { 'Content-Type': 'text/plain' } })).status, 415);
  t.is((await push([[REF, sha]], { headers, pack })).status, 400);
  await untouched(t, 'gzip');
});

// Contract: git-http-bad.packs
test.serial('folders that lie too deep within each other for git to follow are refused in words', async (t) => {
  t.timeout(300_000);
  const { pack, commit } = deepPack(60_000);
  const answer = await push([[REF, commit]], { pack });
  t.like(answer, { status: 200, unpack: 'Folders lie too deep within each other.' });
  await untouched(t, 'too deep');
});

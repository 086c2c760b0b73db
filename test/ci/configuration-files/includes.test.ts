import { createHash } from 'node:crypto';
import test from 'ava';
import {
  ConfigurationError,
  type Hash,
  type RuleConfig,
  type Value,
} from '../../../shared/ci/configuration-model/configuration.types.js';
import {
  expandIncludes,
  type FileOrigin,
  type IncludeAnswer,
  type IncludeOptions,
  type IncludeRequest,
} from '../../../shared/ci/configuration-files/expand-includes.js';

const OWN: FileOrigin = { project: 'g/p', sha: 'a1' };
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

/** Texts are JSON here: reading YAML is not what is tested. */
function createOptions(files: Record<string, unknown>, options: Partial<IncludeOptions> = {}) {
  const requests: IncludeRequest[] = [];
  const find = (address: string, location: string, origin: FileOrigin | null): IncludeAnswer => {
    const content = files[address];
    if (content === undefined) return { error: `Local file \`${location}\` does not exist!` };
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return { files: [{ location, text, origin, blob: `blob:${address}`, raw: `raw:${address}` }] };
  };
  const fetchFiles = (request: IncludeRequest): Promise<IncludeAnswer> => {
    requests.push(request);
    if (request.kind === 'remote') return Promise.resolve(find(request.url, request.url, null));
    const project = request.kind === 'project' ? request.project : request.from.project;
    if (request.kind === 'local-glob') {
      const prefix = `${project}:${request.pattern.split('*')[0] ?? ''}`;
      const names = Object.keys(files)
        .filter((name) => name.startsWith(prefix))
        .sort();
      const answers = names.map((name) => find(name, name.slice(project.length + 1), request.from));
      return Promise.resolve({ files: answers.flatMap((answer) => ('files' in answer ? answer.files : [])) });
    }
    const origin = request.kind === 'project' ? { project, sha: request.ref ?? 'head' } : request.from;
    return Promise.resolve(find(`${project}:${request.path}`, request.path, origin));
  };
  const all: IncludeOptions = {
    from: OWN,
    location: '.gitlab-ci.yml',
    fetchFiles,
    readFile: ({ text }, inputs) => {
      if (text.startsWith('#')) throw new ConfigurationError('Please provide content of .gitlab-ci.yml');
      if (!text.startsWith('{')) throw new ConfigurationError([{ message: 'bad', position: { line: 2, column: 3 } }]);
      const content = JSON.parse(text) as Hash;
      return { content: Object.keys(inputs).length > 0 ? { ...content, inputs } : content, warnings: [] };
    },
    expand: (text) => text.replaceAll('$DIR', 'ci').replaceAll('$URL', 'https://x.test/r.yml'),
    matchesRules: () => Promise.resolve(true),
    ...options,
  };
  return { all, requests };
}

async function expand(content: Hash, files: Record<string, unknown> = {}, options: Partial<IncludeOptions> = {}) {
  const { all, requests } = createOptions(files, options);
  const result = await expandIncludes(content, all);
  return { ...result, content: plain(result.content) as Hash, requests };
}

async function listProblems(content: Hash, files: Record<string, unknown> = {}, options?: Partial<IncludeOptions>) {
  try {
    await expand(content, files, options);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

const listMessages = async (...parameters: Parameters<typeof listProblems>) =>
  (await listProblems(...parameters)).map(({ message }) => message);

test('the file wins over its includes, and a later include over an earlier one', async (t) => {
  const files = {
    'g/p:a.yml': { job: { script: ['a'], tags: ['a'], variables: { X: 'a', Y: 'a' } }, image: 'a' },
    'g/p:b.yml': { include: 'c.yml', job: { tags: ['b'] }, image: 'b' },
    'g/p:c.yml': { job: { variables: { Y: 'c' } }, image: 'c', c: { script: 'c' } },
  };
  const own = { include: ['/a.yml', { local: 'b.yml' }], job: { script: ['own'] } };
  const { content, includes, warnings } = await expand(own, files);
  const job = { script: ['own'], tags: ['b'], variables: { X: 'a', Y: 'c' } };
  t.deepEqual(content, { job, image: 'b', c: { script: 'c' } });
  t.deepEqual(
    includes.map(({ location }) => location),
    ['a.yml', 'b.yml', 'c.yml'],
  );
  t.deepEqual(warnings, []);
  t.deepEqual(own.include, ['/a.yml', { local: 'b.yml' }]);
});

test('a file without includes stays as it is', async (t) => {
  t.deepEqual((await expand({ a: { script: 'x' } })).content, { a: { script: 'x' } });
  t.deepEqual((await expand({ include: null, a: { script: 'x' } })).content, { a: { script: 'x' } });
});

test('includes are listed with what lint says of them', async (t) => {
  const files = {
    'g/p:a.yml': {},
    'g/q:b.yml': { include: { local: 'c.yml' } },
    'g/q:c.yml': {},
    'g/q:d.yml': {},
    'https://x.test/r.yml': { include: { project: 'g/q', file: 'd.yml' } },
  };
  const project = { project: 'g/q', file: ['/b.yml'], ref: 'v1' };
  const include: Value[] = ['a.yml', project, { remote: 'https://x.test/r.yml' }];
  const { includes, requests } = await expand({ include }, files);
  const rest = { blob: 'blob:g/p:a.yml', raw: 'raw:g/p:a.yml', context_project: 'g/p', context_sha: 'a1' };
  t.deepEqual(includes[0], { type: 'local', location: 'a.yml', extra: {}, ...rest });
  t.deepEqual(
    includes.map((file) => [file.type, file.location, file.extra, file.context_project, file.context_sha]),
    [
      ['local', 'a.yml', {}, 'g/p', 'a1'],
      ['file', 'b.yml', { project: 'g/q', ref: 'v1' }, 'g/p', 'a1'],
      ['remote', 'https://x.test/r.yml', {}, 'g/p', 'a1'],
      ['local', 'c.yml', {}, 'g/q', 'v1'],
      ['file', 'd.yml', { project: 'g/q', ref: 'HEAD' }, null, null],
    ],
  );
  t.deepEqual(requests, [
    { kind: 'local', path: 'a.yml', from: OWN },
    { kind: 'project', project: 'g/q', path: 'b.yml', ref: 'v1', from: OWN },
    { kind: 'remote', url: 'https://x.test/r.yml' },
    { kind: 'local', path: 'c.yml', from: { project: 'g/q', sha: 'v1' } },
    { kind: 'project', project: 'g/q', path: 'd.yml', from: null },
  ]);
});

test('a glob includes what it matches, in order; none is fine', async (t) => {
  const files = { 'g/p:ci/b.yml': { x: 'b' }, 'g/p:ci/a.yml': { x: 'a', y: 'a' } };
  const { content, requests } = await expand({ include: { local: '/$DIR/**/*.yml' } }, files);
  t.deepEqual(content, { x: 'b', y: 'a' });
  t.deepEqual(requests, [{ kind: 'local-glob', pattern: 'ci/**/*.yml', from: OWN }]);
  t.deepEqual((await expand({ include: { local: 'none/*.yml' } }, files)).includes, []);
  t.deepEqual(await listMessages({ include: 'ci/*' }, { 'g/p:ci/x.md': {} }), [
    'Included file `ci/x.md` does not have YAML extension!',
  ]);
});

test('a text that is an address is remote, also after its variables are replaced', async (t) => {
  const { requests } = await expand({ include: '$URL' }, { 'https://x.test/r.yml': {} });
  t.deepEqual(requests, [{ kind: 'remote', url: 'https://x.test/r.yml' }]);
});

test('inputs reach the file, and a file may be included twice; it is fetched once', async (t) => {
  const files = { 'g/p:a.yml': { a: 1 } };
  const include: Value[] = [{ local: 'a.yml', inputs: { x: 1 } }, { local: 'a.yml', inputs: { y: [2] } }, 'a.yml'];
  const { content, includes, requests } = await expand({ include }, files);
  t.deepEqual(content, { a: 1, inputs: { x: 1, y: [2] } });
  t.is(includes.length, 3);
  t.is(requests.length, 1);
});

test('rules decide whether a file is included', async (t) => {
  const requests: unknown[] = [];
  const matchesRules = (rules: RuleConfig[], from: FileOrigin | null) => {
    requests.push([plain(rules), from]);
    return Promise.resolve(rules[0]?.when !== 'never');
  };
  const include: Value[] = [
    { local: 'a.yml', rules: [{ if: '$A', when: 'never' }, { exists: ['x', ['y']] }] },
    { local: 'b.yml', rules: [{ changes: { paths: ['z'], compare_to: 'main' }, exists: { paths: 'w', ref: 'v1' } }] },
    { local: 'c.yml', rules: [] },
  ];
  const files = { 'g/p:b.yml': { b: 1 }, 'g/p:c.yml': { c: 1 } };
  t.deepEqual((await expand({ include }, files, { matchesRules })).content, { b: 1, c: 1 });
  t.deepEqual(requests, [
    [[{ if: '$A', when: 'never' }, { exists: { paths: ['x', 'y'] } }], OWN],
    [[{ changes: { paths: ['z'], compare_to: 'main' }, exists: { paths: ['w'], ref: 'v1' } }], OWN],
  ]);
});

test('rules that are not written as they must be are errors', async (t) => {
  const rule = (value: unknown) => ({ local: 'a.yml', rules: [value] }) as Hash;
  const include: Value[] = [
    { local: 'a.yml', rules: 'x' },
    rule(1),
    rule({ script: 'x' }),
    rule({ if: 1 }),
    rule({ when: 'manual' }),
    rule({ exists: 1 }),
    rule({ exists: Array.from({ length: 51 }, () => 'x') }),
    rule({ changes: { paths: ['x'], other: 1 } }),
    rule({ exists: { paths: ['x'], ref: 1 } }),
  ];
  t.deepEqual(await listMessages({ include }), [
    'include:rules config should be an array of hashes',
    'include:rules config should be an array of hashes',
    'include:rules:rule config contains unknown keys: script',
    'include:rules:rule if should be a string',
    'include:rules:rule when unknown value: manual',
    'include:rules:rule:exists config should be an array of strings',
    'include:rules:rule:exists config has too many entries (maximum 50)',
    'include:rules:rule:changes config contains unknown keys: other',
    'include:rules:rule:exists:ref config should be a string',
  ]);
});

test('includes that are not written as they must be, or not supported, are errors', async (t) => {
  const include: Value[] = [
    1,
    { template: 'Bash.gitlab-ci.yml' },
    { component: 'x/y@1' },
    { artifact: 'x.yml', job: 'y' },
    { yolo: 'x.yml' },
    { project: '', file: 'x.yml' },
    { local: 'x.yml', remote: 'https://x.test/x.yml' },
    { local: 'x.yml', foo: 1, bar: 2 },
    { project: 'g/q' },
    { project: 'g/q', file: 'x.yml', ref: 1 },
    { local: 'x.yml', inputs: [1] },
    { local: 'x'.repeat(1025) },
  ];
  const keys = 'Valid subkeys are: `local`, `project`, `remote`';
  t.deepEqual(await listMessages({ include }), [
    'include config should be a string or a hash',
    'include:template is not supported by this service',
    'include:component is not supported by this service',
    'include:artifact is not supported by this service',
    `\`{"yolo":"x.yml"}\` does not have a valid subkey for include. ${keys}`,
    `\`{"project":"","file":"x.yml"}\` does not have a valid subkey for include. ${keys}`,
    'Each include must use only one of: `local`, `project`, `remote`',
    'include config contains unknown keys: foo, bar',
    'include config must specify the file where to fetch the config from',
    'include:ref config should be a string',
    'include:inputs config should be a hash',
    'include:local config is too long (maximum is 1024 characters)',
  ]);
});

test('paths that cannot name a configuration file are refused without being fetched', async (t) => {
  const include: Value[] = [
    'x.txt',
    '.yml',
    '../x.yml',
    'a\0.yml',
    { project: 'g/q', file: 'a/../x.yml' },
    { remote: 'ftp://x.test/x.yml' },
    'https://x.test/x',
  ];
  const { all, requests } = createOptions({});
  const error = await t.throwsAsync(expandIncludes({ include }, all), { instanceOf: ConfigurationError });
  t.deepEqual(
    error?.problems.map(({ message }) => message),
    [
      'Included file `x.txt` does not have YAML extension!',
      'Included file `.yml` does not have YAML extension!',
      'Local file `../x.yml` does not exist!',
      'Local file `a\0.yml` does not exist!',
      'Project `g/q` file `a/../x.yml` does not exist!',
      'Remote file `ftp://x.test/x.yml` does not have a valid address!',
      'Included file `https://x.test/x` does not have YAML extension!',
    ],
  );
  t.deepEqual(requests, []);
});

test('files that are missing, empty or cannot be read are errors that name them', async (t) => {
  const files = {
    'g/p:empty.yml': ' \n',
    'g/p:comment.yml': '# nothing',
    'g/p:bad.yml': '[',
    'g/p:deep.yml': { include: 'missing.yml' },
    'g/q:empty.yml': '',
    'https://x.test/r.yml': '',
    'https://x.test/l.yml': { include: { local: 'x.yml' } },
  };
  const include: Value[] = [
    'missing.yml',
    'empty.yml',
    'comment.yml',
    'bad.yml',
    'deep.yml',
    { project: 'g/q', file: 'empty.yml' },
    'https://x.test/r.yml',
    'https://x.test/l.yml',
  ];
  t.deepEqual(await listProblems({ include }, files), [
    { message: 'Local file `missing.yml` does not exist!' },
    { message: 'Local file `empty.yml` is empty!' },
    { message: 'Local file `comment.yml` is empty!' },
    { message: '`bad.yml`: bad', file: 'bad.yml', position: { line: 2, column: 3 } },
    { message: 'Local file `missing.yml` does not exist!', file: 'deep.yml' },
    { message: 'Project `g/q` file `empty.yml` is empty!' },
    { message: 'Remote file `https://x.test/r.yml` is empty!' },
    { message: 'Local file `x.yml` does not have project!', file: 'https://x.test/l.yml' },
  ]);
});

test('a remote file must have the integrity that the configuration wants', async (t) => {
  const remote = 'https://x.test/r.yml';
  const text = '{"a": "é"}';
  const integrity = `sha256-${createHash('sha256').update(text).digest('base64')}`;
  t.deepEqual((await expand({ include: { remote, integrity } }, { [remote]: text })).content, { a: 'é' });
  const include: Value[] = [
    { local: 'x.yml', integrity },
    { remote, integrity: 'md5-x' },
    { remote, integrity: 'sha256-x' },
  ];
  t.deepEqual(await listMessages({ include }), [
    'include config integrity can only be specified for remote includes',
    "include config integrity hash must start with 'sha256-'",
    'include config integrity hash must be base64 encoded',
  ]);
  t.deepEqual(await listMessages({ include: { remote, integrity } }, { [remote]: '{"a": "e"}' }), [
    `Include \`${remote}\` file integrity does not match the one in the configuration!`,
  ]);
});

test('a file that includes itself, or one on the way to it, is an error', async (t) => {
  const files = {
    'g/p:.gitlab-ci.yml': {},
    'g/p:a.yml': { include: 'b.yml' },
    'g/p:b.yml': { include: ['a.yml', '.gitlab-ci.yml'] },
  };
  t.deepEqual(await listProblems({ include: ['/.gitlab-ci.yml', 'a.yml'] }, files), [
    { message: 'Include `.gitlab-ci.yml` is part of a circular chain!' },
    { message: 'Include `a.yml` is part of a circular chain!', file: 'b.yml' },
    { message: 'Include `.gitlab-ci.yml` is part of a circular chain!', file: 'b.yml' },
  ]);
});

test('150 includes in all are fine, 151 are too many', async (t) => {
  const text = 'Maximum of 150 nested includes are allowed!';
  const list = (count: number, name = 'x') => Array.from({ length: count }, (_, index) => `${name}${index}.yml`);
  const files: Record<string, unknown> = Object.fromEntries(list(150).map((name) => [`g/p:${name}`, {}]));
  t.is((await expand({ include: list(150) }, files)).includes.length, 150);
  t.deepEqual(await listMessages({ include: list(151) }, files), [text]);
  files['g/p:x149.yml'] = { include: 'x0.yml' };
  t.deepEqual(await listMessages({ include: list(150) }, files), [text]);
  t.deepEqual(await listMessages({ include: ['x0.yml', 'x*.yml'] }, files), [text]);
  const chain = Object.fromEntries(list(200).map((name, index) => [`g/p:${name}`, { include: `x${index + 1}.yml` }]));
  t.deepEqual(await listMessages({ include: 'x0.yml' }, chain), [text]);
  const never = list(1001).map((local) => ({ local, rules: [{ when: 'never' }] }));
  t.deepEqual(await listMessages({ include: never }, {}, { matchesRules: () => Promise.resolve(false) }), [text]);
  t.deepEqual(await listMessages({ include: ['x0.yml', 'x1.yml'] }, files, { maxIncludes: 1 }), [
    'Maximum of 1 nested includes are allowed!',
  ]);
});

test('files that are too big together, and time that is over, end it', async (t) => {
  const files = { 'g/p:a.yml': { a: 'x'.repeat(2 * 1024 * 1024) } };
  const include = Array.from({ length: 17 }, () => 'a.yml');
  t.deepEqual(await listMessages({ include }, files), ['The parsed YAML is too big']);
  t.deepEqual(await listMessages({ include: 'a.yml' }, files, { isOverdue: () => true }), [
    'Resolving config took longer than expected',
  ]);
});

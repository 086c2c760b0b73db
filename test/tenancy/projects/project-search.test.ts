import test from 'ava';
import { searchTerms } from '../../../shared/tenancy/project-details/project-search.js';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);
const word = () => `w${unique()}x${Math.random().toString(36).slice(2, 8)}`;

interface ProjectAttributes {
  name: string;
  path?: string;
  description?: string;
}

/** A user with projects of these names, written as they are: the API would refuse some of the characters. */
async function userWith(projects: readonly ProjectAttributes[]): Promise<BuiltUser> {
  const owner = await app.build.user();
  for (const { name, path, description } of projects) {
    const { id } = await app.build.project({ owner, empty: true });
    await app.context().query(sql`
      update projects set name = ${name}, path = ${path ?? `p${unique()}`}, description = ${description ?? null}
       where id = ${id}`);
  }
  return owner;
}

async function found(by: BuiltUser, search: string, query = ''): Promise<string[]> {
  const { status, body } = await app.as(by).get(`/projects?search=${encodeURIComponent(search)}&sort=asc${query}`);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return (body as { name: string }[]).map((project) => project.name);
}

// Contract: interface-4.10.search
test('a search finds a part of path, name or description, whatever the case', async (t) => {
  const tag = word();
  const user = await userWith([
    { name: `The ${tag} one` },
    { name: 'By path', path: `by-${tag}-path` },
    { name: 'By description', description: `About ${tag.toUpperCase()}.` },
    { name: 'Other' },
  ]);
  t.deepEqual(await found(user, tag.toUpperCase()), [`The ${tag} one`, 'By path', 'By description']);
  t.deepEqual(await found(user, `${tag}x`), []);
});

// Contract: interface-4.10.search
test('several terms are all needed, in one and the same column', async (t) => {
  const [a, b] = [word(), word()];
  const user = await userWith([
    { name: `${a} and ${b}` },
    { name: `${b} ${a}`, description: 'in another order' },
    { name: `${a} only`, description: `and ${b} elsewhere` },
    { name: 'Told', description: `${a}${b}` },
  ]);
  t.deepEqual(await found(user, `${a} ${b}`), [`${a} and ${b}`, `${b} ${a}`, 'Told']);
  t.deepEqual(await found(user, `  ${b}\t ${a} `), [`${a} and ${b}`, `${b} ${a}`, 'Told']);
});

// Contract: interface-4.10.search
test('a plus sign in the query separates terms as a space does', async (t) => {
  const [a, b] = [word(), word()];
  const user = await userWith([{ name: `${b} ${a}` }, { name: a }]);
  const { body } = await app.as(user).get(`/projects?search=${a}+${b}`);
  t.deepEqual(
    body.map(({ name }: { name: string }) => name),
    [`${b} ${a}`],
  );
});

// Contract: projects-2.1.phrases
test('a quoted phrase stays together, and quotes anywhere else are characters', async (t) => {
  const [a, b] = [word(), word()];
  const user = await userWith([
    { name: `${a} ${b}` },
    { name: `${b} ${a}` },
    { name: `say "${a}` },
    { name: `${a}''${b}` },
  ]);
  t.deepEqual(await found(user, `"${a} ${b}"`), [`${a} ${b}`]);
  t.deepEqual(await found(user, `"${a}`), [`say "${a}`]);
  t.deepEqual(await found(user, `${a}''`), [`${a}''${b}`]);
});

// Contract: projects-2.1.literals
test('%, _, backslashes and quotes are themselves', async (t) => {
  const tag = word();
  const names = [`${tag} 100%`, `${tag} a_b`, `${tag} c\\d`, `${tag} e'f`, `${tag} g"h`, `${tag} plain`];
  const user = await userWith(names.map((name) => ({ name })));
  for (const [search, name] of [
    ['0%', 0],
    ['a_b', 1],
    ['c\\d', 2],
    ["e'f", 3],
    ['g"h', 4],
  ] as const)
    t.deepEqual(await found(user, `${tag} ${search}`), [names[name]], search);
  for (const search of ['%', '_', '\\']) t.is((await found(user, `${tag} ${search}`)).length, 1, search);
  t.deepEqual(await found(user, `${tag}%plain`), []);
});

// Contract: projects-2.1.short
test('terms of one or two characters are needed too, as substrings', async (t) => {
  const tag = word();
  const user = await userWith([{ name: `${tag} ~q` }, { name: `${tag} ~` }, { name: tag }]);
  t.deepEqual(await found(user, `${tag} ~q`), [`${tag} ~q`]);
  t.deepEqual(await found(user, `${tag} ~`), [`${tag} ~q`, `${tag} ~`]);
  const own = await userWith([{ name: '¤¤' }, { name: '¤' }]);
  t.deepEqual(await found(own, '¤¤', '&owned=true'), ['¤¤']);
});

// Contract: projects-2.1.empty
test('an empty search, and one of spaces alone, is none', async (t) => {
  const user = await userWith([{ name: 'One' }, { name: 'Two' }]);
  t.deepEqual(await found(user, '', '&owned=true'), ['One', 'Two']);
  t.deepEqual(await found(user, '  ', '&owned=true'), ['One', 'Two']);
});

// Contract: interface-4.10.search_namespaces
test('search_namespaces looks at the full path and the full name with all ancestors, and at the description', async (t) => {
  const tag = word();
  const top = await app.build.group({ name: `Top ${tag}`, path: `top-${tag}` });
  const sub = await app.build.group({ parent: top, owner: top.owner, name: 'Sub', path: 'sub' });
  await app.build.projectIn(sub, { name: 'Deep' });
  const said = await app.build.project({ owner: top.owner, name: 'Said', empty: true });
  await app.context().query(sql`update projects set description = ${`of ${tag}`} where id = ${said.id}`);
  t.deepEqual(await found(top.owner, tag), ['Said']);
  t.deepEqual(await found(top.owner, tag, '&search_namespaces=true'), ['Deep', 'Said']);
  t.deepEqual(await found(top.owner, `top-${tag}/sub/d`, '&search_namespaces=1'), ['Deep']);
  t.deepEqual(await found(top.owner, `"${tag} / Sub / Deep"`, '&search_namespaces=true'), ['Deep']);
  t.deepEqual(await found(await app.build.user(), tag, '&search_namespaces=true'), []);
});

test('a search of very many terms is answered like any other', async (t) => {
  const terms = Array.from({ length: 300 }, () => word());
  const user = await userWith([{ name: 'Long', description: terms.join(' ') }]);
  t.deepEqual(await found(user, terms.join(' ')), ['Long']);
  t.deepEqual(await found(user, [...terms, word()].join(' ')), []);
});

// Contract: interface-4.10.order_by-similarity
test('similarity puts the best match first among the own projects, and needs a search and a caller', async (t) => {
  // Not a random word: one with the same ending as another name would be similar to it.
  const tag = 'zebrafish';
  const user = await userWith([
    { name: `The great ${tag}` },
    { name: tag, path: tag },
    { name: 'Told', description: tag },
  ]);
  const open = await app.build.project({ visibility: 'public', empty: true, name: `${tag} open` });
  const names = async (query: string, client = app.as(user)) =>
    (await client.get(`/projects?search=${tag}&${query}`)).body.map(({ name }: { name: string }) => name);
  t.deepEqual(await names('order_by=similarity'), [tag, `The great ${tag}`, 'Told']);
  t.deepEqual(await names('order_by=similarity&sort=asc'), ['Told', `The great ${tag}`, tag]);
  t.deepEqual(await names('order_by=similarity', app.anonymous), [open.name]);
  const unsearched = await app.as(user).get('/projects?order_by=similarity&per_page=100');
  t.true(unsearched.body.some(({ id }: { id: number }) => id === open.id));
  t.deepEqual(
    unsearched.body.map(({ id }: { id: number }) => id),
    unsearched.body.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => b - a),
  );
});

test('letters whose case languages disagree about are found as they are written', async (t) => {
  const names = ['İstanbul', 'ΣΊΣΥΦΟΣ', 'Straße ÜBER', 'DŽ ſ'].map((name) => `${name} ${word()}`);
  const user = await userWith(names.map((name) => ({ name })));
  for (const name of names) t.deepEqual(await found(user, name), [name], name);
});

// Contract: projects-2.1.phrases
test('terms are told apart by spaces and quotes, and those that another term holds are dropped', (t) => {
  t.deepEqual(searchTerms('ab abc "b c" ABC'), ['abc', 'b c']);
  t.deepEqual(searchTerms('say"a b"'), ['say"a', 'b"']);
  t.deepEqual(searchTerms('""'), ['""']);
  t.deepEqual(searchTerms(' \t'), []);
});

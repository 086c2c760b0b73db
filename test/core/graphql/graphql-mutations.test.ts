import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
} from 'graphql';
import type { GraphQLEnumType, GraphQLField, GraphQLInputField } from 'graphql';
import test from 'ava';
import { leastRole } from '../../../api/core/openapi/least-role.js';
import { NOT_AVAILABLE } from '../../../api/core/graphql/errors.js';
import { allRoutes } from '../../../api/domains.js';
import { loadGraphql } from '../../../api/graphql.js';
import { Context } from '../../../shared/core/context/context.js';
import { makeMergeRequest } from '../../merge-requests/merge-requests/merge-requests.examples.js';
import { useApp } from '../app.js';
import { changedTables, fingerprint } from '../fingerprint.js';
import type { Client } from '../client.js';
import { signIn } from '../signed-in.js';
import { makePeople, WALKED_ROLES, Sandbox } from '../sandbox.js';
import type { People } from '../sandbox.js';

// A long test: it goes through every mutation.

const app = useApp(test);
const { schema } = await loadGraphql();

type Mutation = GraphQLField<unknown, unknown>;
const mutations: Mutation[] = Object.values(schema.getMutationType()?.getFields() ?? {});

let people: People;
let sandbox: Sandbox;

const gid = (type: string, id: number | string) => `gid://service/${type}/${id}`;

/** Operations of the process that found their resource and had the right to it, by name. */
const done: string[] = [];

test.serial.before(async () => {
  people = await makePeople(app);
  sandbox = await Sandbox.make(app, people);
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { doing } = Context.prototype;
  Context.prototype.doing = function (name, about) {
    done.push(name);
    return doing.call(this, name, about);
  };
});

const issue = async () =>
  sandbox.post(`/projects/${sandbox.project.id}/issues`, { title: 'Issue' }) as Promise<unknown> as Promise<{
    id: number;
    iid: number;
  }>;

/** A comment on an issue: a single one, or a thread. */
async function said(kind: 'notes' | 'discussions') {
  const { iid } = await issue();
  const award = await sandbox.post(`/projects/${sandbox.project.id}/issues/${iid}/${kind}`, { body: 'Hello' });
  return award as unknown as { id: string };
}

/** A merge request, and a position in its diff for a note, in the formats of REST and of GraphQL. */
async function changed() {
  const { id, iid } = await makeMergeRequest(sandbox, sandbox.project.id);
  const path = `/projects/${sandbox.project.id}/merge_requests/${iid}`;
  const as = app.as(people.author);
  const [{ diff_refs: refs }, [file]] = [(await as.get(path)).body, (await as.get(`${path}/diffs`)).body];
  const { head_sha: headSha, base_sha: baseSha, start_sha: startSha } = refs;
  const position = { headSha, baseSha, startSha, paths: { oldPath: file.old_path, newPath: file.new_path } };
  return { noteableId: gid('MergeRequest', id), path, position, refs, file };
}

const POINT = { x: 1, y: 2, width: 30, height: 40 };

/** A note on a picture of a merge request, and where that is to move. */
async function pictured() {
  const { path, refs, file } = await changed();
  const position = { ...refs, position_type: 'image', old_path: file.old_path, new_path: file.new_path, ...POINT };
  const award = await sandbox.post(`${path}/discussions`, { body: 'Here', position });
  const { notes } = award as unknown as { notes: { id: number }[] };
  return { id: gid('DiffNote', notes[0]!.id), position: { x: 7 } };
}

/** Fields of a mutation that go together. */
const TOGETHER: Record<string, () => Promise<object>> = {
  createDiffNote: async () => {
    const { noteableId, position } = await changed();
    return { noteableId, position: { ...position, newLine: 1 } };
  },
  createImageDiffNote: async () => {
    const { noteableId, position } = await changed();
    return { noteableId, position: { ...position, ...POINT } };
  },
  createSnippet: async () => ({
    projectPath: sandbox.project.full_path,
    visibilityLevel: 'private',
    blobActions: [{ action: 'create', filePath: 'a.rb', content: 'puts 1' }],
  }),
  repositionImageDiffNote: pictured,
  updateImageDiffNote: pictured,
};

/** A record for each type of ids. */
const IDS: Record<string, () => Promise<string>> = {
  NoteID: async () => gid('Note', (await said('notes')).id),
  DiscussionID: async () => gid('Discussion', (await said('discussions')).id),
  TodoID: async () => {
    const { iid } = await issue();
    const { body } = await app.as(people.author).post(`/projects/${sandbox.project.id}/issues/${iid}/todo`);
    return gid('Todo', body.id);
  },
  TodoableID: async () => gid('Issue', (await issue()).id),
  NoteableID: async () => gid('Issue', (await issue()).id),
  WorkItemID: async () => gid('WorkItem', (await issue()).id),
  IssueID: async () => gid('Issue', (await issue()).id),
  SnippetID: async () => {
    const attributes = { title: 'Fight', visibility: 'private', content: 'puts 1' };
    return gid('ProjectSnippet', (await sandbox.post(`/projects/${sandbox.project.id}/snippets`, attributes)).id);
  },
  UserID: async () => gid('User', people.guest.id),
  CiPipelineScheduleID: async () => gid('Ci::PipelineSchedule', (await sandbox.schedule()).id),
};

/** Values of fields that name something, or must have a form of their own. */
const MAKERS: Record<string, () => Promise<unknown>> = {
  projectPath: async () => sandbox.project.full_path,
  targetProjectPath: async () =>
    (await app.build.projectIn({ ...(await sandbox.otherGroup()), owner: people.author }, {})).full_path,
  groupPath: async () => (await sandbox.group()).full_path,
  iid: async () => String((await issue()).iid),
  cron: async () => '0 1 * * *',
  ref: async () => 'work',
  queueName: async () => 'pipeline_schedules.run',
};

/** Optional fields that are set nevertheless: at least one of them is required. */
const ALSO = new Set([
  'AdminSidekiqQueuesDeleteJobsInput.user',
  'UpdateIssueInput.title',
  'UpdateNoteInput.body',
  'UpdateSnippetInput.title',
  'PipelineScheduleUpdateInput.description',
]);

async function getValue(field: GraphQLInputField): Promise<unknown> {
  const type = getNullableType(field.type);
  const inputType = getNamedType(field.type);
  const make = MAKERS[field.name] ?? IDS[inputType.name];
  const one = make
    ? await make()
    : isEnumType(inputType)
      ? (inputType as GraphQLEnumType).getValues().at(-1)?.name
      : { String: `text ${sandbox.unique()}`, ID: 'text', Boolean: true, Int: 1 }[inputType.name];
  return isListType(type) ? [one] : one;
}

/** The input with which a user may run a mutation, with records that no other test has changed. */
async function getInput({ name, args }: Mutation): Promise<Record<string, unknown>> {
  const input = getNamedType(args[0]!.type);
  if (!isInputObjectType(input)) throw new Error(`${String(input)} is no input.`);
  const together = { ...(await TOGETHER[name]?.()) };
  const fields = Object.values(input.getFields()).filter(
    (field) => !(field.name in together) && (isRequiredInputField(field) || ALSO.has(`${input.name}.${field.name}`)),
  );
  const others = await Promise.all(fields.map(async (field) => [field.name, await getValue(field)] as const));
  return { ...together, ...Object.fromEntries(others) };
}

type Input = Record<string, string>;
const getNumber = (id = '') => id.split('/').at(-1);
const asAdmin = () => app.as(people.admin);

/** Creates the data that a mutation then removes. */
const READY: Record<string, (input: Input) => Promise<unknown>> = {
  deleteProjectCustomAttribute: ({ projectPath, key }) =>
    asAdmin().put(`/projects/${encodeURIComponent(projectPath!)}/custom_attributes/${key}`, { value: 'x' }),
  deleteGroupCustomAttribute: ({ groupPath, key }) =>
    asAdmin().put(`/groups/${encodeURIComponent(groupPath!)}/custom_attributes/${key}`, { value: 'x' }),
  deleteUserCustomAttribute: ({ userId, key }) =>
    asAdmin().put(`/users/${getNumber(userId)}/custom_attributes/${key}`, { value: 'x' }),
  workItemRemoveLinkedItems: ({ id, workItemsIds }) =>
    app
      .as(people.author)
      .graphql('mutation($input: WorkItemAddLinkedItemsInput!) { workItemAddLinkedItems(input: $input) { errors } }', {
        input: { id, workItemsIds },
      }),
};

/** Everything that a mutation may need for success, made for it alone. */
async function readyInput(mutation: Mutation): Promise<Record<string, unknown>> {
  const input = await getInput(mutation);
  await READY[mutation.name]?.(input as Input);
  return input;
}

/** A missing permission, reported in the payload as in the public API: the issue exists, but may not be moved. */
const LACKING = /insufficient permissions/;

const send = (client: Client, { name, args }: Mutation, input: object) =>
  client.graphql(`mutation($input: ${String(args[0]!.type)}) { ${name}(input: $input) { errors } }`, { input });

/** Whether it references a record of a project, group or other user, so that not every caller has access. */
const isAimed = (input: object): boolean => Object.keys(input).length > 0;

/** The error in a refusal of a mutation; null if it matches the contract and nothing was written. */
async function checkDenial(client: Client, mutation: Mutation, input: object): Promise<string | null> {
  await app.tokens.written();
  const before = await fingerprint(app.services.db);
  const { status, body, text } = await send(client, mutation, input);
  await app.tokens.written();
  const changed = changedTables(before, await fingerprint(app.services.db));
  if (changed.length > 0) return `${mutation.name} was refused and changed ${changed.join(', ')}`;
  const [error] = (body as { errors?: { message: string; path: string[] }[] }).errors ?? [];
  const asSaid =
    status === 200 &&
    error?.message === NOT_AVAILABLE &&
    error.path.join() === mutation.name &&
    (body as { data: Record<string, unknown> }).data[mutation.name] === null;
  return asSaid ? null : `${mutation.name}: ${status} ${text}`;
}

const MINUTES = 10 * 60_000;

// Contract: graphql-1.4.walk
test.serial(
  'no mutation is done without signing in, with read_api alone, or from a cookie without its token',
  async (t) => {
    t.timeout(MINUTES);
    const reader = await app.build.token(people.owner, { scopes: ['read_api'] });
    const { cookieOnly } = await signIn(app, people.owner);
    await app.as(reader).get('/version');
    await cookieOnly.graphql('{ currentUser { id } }');
    for (const mutation of mutations) {
      const input = await getInput(mutation);
      t.is(await checkDenial(app.anonymous, mutation, input), null, 'anonymous');
      t.is(await checkDenial(app.as(reader), mutation, input), null, 'read_api');
      await app.tokens.written();
      const before = await fingerprint(app.services.db);
      const { status, body } = await send(cookieOnly, mutation, input);
      t.deepEqual(
        [status, body],
        [422, { errors: [{ message: "Can't verify CSRF token authenticity." }] }],
        mutation.name,
      );
      t.deepEqual(changedTables(before, await fingerprint(app.services.db)), [], mutation.name);
    }
  },
);

/** The least role that REST requires for an operation on a project or group. */
function leastByRest(name: string) {
  const route = allRoutes.find(({ operation }) => operation.name === name);
  return route ? leastRole(route) : null;
}

/** Callers from the one with the least rights on; the author made every record. */
const CALLERS = [...WALKED_ROLES, 'author', 'admin'] as const;

/** The first caller who may run a mutation; errors in the refusals of the callers before. */
async function leastCaller(mutation: Mutation, input: object) {
  const problems = [await checkDenial(app.as(people.stranger), mutation, input)];
  for (const role of CALLERS) {
    done.length = 0;
    const { body, text } = await send(app.as(people[role]), mutation, input);
    const errors = body.data?.[mutation.name]?.errors ?? [];
    if (!body.errors && !LACKING.test(errors.join())) {
      const { errors } = body.data[mutation.name];
      return {
        least: role,
        problems: [...problems, errors.length > 0 ? `${mutation.name} as ${role}: ${text}` : null],
      };
    }
    // Sent again, so that the refusal is checked together with its side effects.
    if (body.errors) problems.push(await checkDenial(app.as(people[role]), mutation, input));
  }
  return { least: null, problems: [...problems, `${mutation.name}: nobody may do it`] };
}

// Contract: graphql-1.4.walk
test.serial('every mutation is refused to strangers and to each role below the least that REST names', async (t) => {
  t.timeout(MINUTES);
  t.true(mutations.length > 25);
  const wrong: string[] = [];
  for (const mutation of mutations) {
    const input = await readyInput(mutation);
    if (!isAimed(input)) continue;
    const { least, problems } = await leastCaller(mutation, input);
    wrong.push(...problems.filter((problem) => problem !== null));
    if (done.length === 0) wrong.push(`${mutation.name} runs no declared operation`);
    const roles = done.map(leastByRest).filter((role) => role !== null);
    // Authors may change their own records whatever their role: REST lists the other callers who may.
    if (roles.length > 0 && least !== 'author' && !roles.includes(least as never))
      wrong.push(`${mutation.name} (${done.join()}): ${least}, by REST ${roles.join()}`);
  }
  t.deepEqual(wrong, []);
});

import test from 'ava';
import { declareOldId } from '../../../api/core/graphql/old-ids.js';
import { useApp } from '../app.js';

const app = useApp(test);

declareOldId({ oldType: 'Old::Issue', newType: 'Issue', since: '18.0' });

const QUERY = 'query($id: OldIssueID!) { issue(id: $id) { id } }';
const LITERAL = (id: string) => `{ issue(id: "${id}") { id } }`;

async function getIssue() {
  const project = await app.build.project();
  const { id } = (await app.as(project.owner).post(`/projects/${project.id}/issues`, { title: 'A' })).body;
  const send = (query: string, variables?: object, parameter = '') =>
    app
      .as(project.owner)
      .raw('POST', `/api/graphql${parameter}`, JSON.stringify({ query, variables }), 'application/json');
  return { id: id as number, send };
}

// Contract: graphql-3.8
test('the old name of a type is taken in ids and as the type of a variable, and the new one answered', async (t) => {
  const { id, send } = await getIssue();
  const old = `gid://service/Old::Issue/${id}`;
  const found = { data: { issue: { id: `gid://service/Issue/${id}` } } };
  t.deepEqual((await send(QUERY, { id: old })).body, found);
  // Sent again: the document is known by now.
  t.deepEqual((await send(QUERY, { id: `gid://service/Issue/${id}` })).body, found);
  t.deepEqual((await send(LITERAL(old))).body, found);
});

// Contract: graphql-3.8
test('under remove_deprecated the old name is one of nothing', async (t) => {
  const { id, send } = await getIssue();
  const old = `gid://service/Old::Issue/${id}`;
  const [unknown] = (await send(QUERY, { id: old }, '?remove_deprecated=true')).body.errors;
  t.is(unknown.extensions.code, 'undefinedType');
  const [other] = (await send(LITERAL(old), {}, '?remove_deprecated=true')).body.errors;
  t.regex(other.message, /does not represent an instance of Issue|invalid value/);
  const now = await send(LITERAL(`gid://service/Issue/${id}`), {}, '?remove_deprecated=true');
  t.is(now.body.data.issue.id, `gid://service/Issue/${id}`);
});

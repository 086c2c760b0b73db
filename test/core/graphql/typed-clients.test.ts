import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { codegen } from '@graphql-codegen/core';
import * as types from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { relayStylePagination } from '@apollo/client/utilities';
import type { DocumentNode } from 'graphql';
import { buildClientSchema, getIntrospectionQuery, parse, printSchema } from 'graphql';
import test from 'ava';
import { NOT_AVAILABLE } from '../../../api/core/graphql/errors.js';
import { schemaText } from '../../../api/core/graphql/schema.js';
import { loadGraphql } from '../../../api/graphql.js';
import { useApp } from '../app.js';
import type { BuiltUser } from '../builders.js';

// Clients of the public API as they are: @apollo/client, graphql-js and graphql-codegen.
const app = useApp(test);

const ISSUES = gql`
  query Issues($path: ID!, $after: String) {
    project(fullPath: $path) {
      id
      issues(first: 2, after: $after, sort: CREATED_ASC) {
        edges {
          cursor
          node {
            id
            title
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`;

interface Page {
  project: {
    issues: {
      edges: { node: { title: string } }[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
  };
}

/** A client of a user, which counts its requests. */
function getClient(user: BuiltUser, Link: typeof HttpLink | typeof BatchHttpLink = HttpLink) {
  const sent = { requests: 0 };
  const link = new Link({
    uri: `${app.url}/api/graphql`,
    headers: { Authorization: `Bearer ${user.token}` },
    fetch: (address, options) => {
      sent.requests += 1;
      return fetch(address, options);
    },
  });
  const cache = new InMemoryCache({ typePolicies: { Project: { fields: { issues: relayStylePagination() } } } });
  return { client: new ApolloClient({ link, cache }), sent };
}

async function projectWithIssues(titles: string[]) {
  const project = await app.build.project();
  for (const title of titles) await app.as(project.owner).post(`/projects/${project.id}/issues`, { title });
  return project;
}

// Contract: graphql-10.apollo
test("Apollo's client pages through a connection into one list", async (t) => {
  const titles = ['a', 'b', 'c', 'd', 'e'];
  const project = await projectWithIssues(titles);
  const { client, sent } = getClient(project.owner);
  const pageAfter = async (after: string | null): Promise<Page | undefined> => {
    const variables = { path: project.full_path, after };
    return (await client.query<Page>({ query: ISSUES, variables, fetchPolicy: 'network-only' })).data;
  };
  let page = await pageAfter(null);
  while (page?.project.issues.pageInfo.hasNextPage) page = await pageAfter(page.project.issues.pageInfo.endCursor);
  t.deepEqual(
    page?.project.issues.edges.map(({ node }) => node.title),
    titles,
  );
  t.is(sent.requests, 3);
});

const CREATE = gql`
  mutation Create($input: CreateIssueInput!) {
    createIssue(input: $input) {
      errors
      issue {
        id
        title
      }
    }
  }
`;

interface Created {
  createIssue: { errors: string[]; issue: { id: string; title: string } | null } | null;
}

// Contract: graphql-10.apollo
test("Apollo's client tells errors of a payload apart from those of a request", async (t) => {
  const project = await projectWithIssues([]);
  const { client } = getClient(project.owner);
  const create = (input: object) =>
    client.mutate<Created>({ mutation: CREATE, variables: { input }, errorPolicy: 'all' });
  const mutation = await create({ projectPath: project.full_path, title: 'A' });
  t.is(mutation.data?.createIssue?.issue?.title, 'A');
  const blank = await create({ projectPath: project.full_path, title: '' });
  t.is(blank.error, undefined);
  t.is(blank.data?.createIssue?.issue, null);
  t.deepEqual(blank.data?.createIssue?.errors, ["Title can't be blank"]);
  const { error, data } = await create({ projectPath: 'no/such', title: 'A' });
  t.is(data?.createIssue, null);
  t.true(CombinedGraphQLErrors.is(error));
  t.deepEqual(CombinedGraphQLErrors.is(error) && error.errors.map(({ message }) => message), [NOT_AVAILABLE]);
});

// Contract: graphql-10.apollo
test("Apollo's client sends what is asked at once as one batch", async (t) => {
  const project = await projectWithIssues(['a']);
  const { client, sent } = getClient(project.owner, BatchHttpLink);
  const [issues, me] = await Promise.all([
    client.query<Page>({ query: ISSUES, variables: { path: project.full_path, after: null } }),
    client.query<{ currentUser: { username: string } }>({
      query: gql`
        query Me {
          currentUser {
            id
            username
          }
        }
      `,
    }),
  ]);
  t.is(issues.data?.project.issues.edges.length, 1);
  t.is(me.data?.currentUser.username, project.owner.username);
  t.is(sent.requests, 1);
});

async function introspected() {
  const { body } = await app.anonymous.graphql(getIntrospectionQuery({ inputValueDeprecation: true }));
  return buildClientSchema(body.data);
}

// Contract: graphql-10.introspection
test('the schema that a client builds by introspection is the one that is published', async (t) => {
  const { schema } = await loadGraphql();
  t.is(schemaText(await introspected()), schemaText(schema));
});

const USE = `import type { IssuesQuery, IssuesQueryVariables } from './issues.js';
export const variables: IssuesQueryVariables = { path: 'g/p' };
export const titles = (data: IssuesQuery): string[] =>
  (data.project?.issues?.edges ?? []).flatMap((edge) => (edge?.node ? [edge.node.title] : []));
// @ts-expect-error -- it has no such field
export const none = (data: IssuesQuery) => data.project?.nothing;
`;

// Contract: graphql-10.introspection
test('what graphql-codegen makes of the introspected schema compiles, and knows what a query answers', async (t) => {
  t.timeout(180_000);
  const folder = path.resolve('dist', 'generated-graphql');
  mkdirSync(folder, { recursive: true });
  const schema = parse(printSchema(await introspected()));
  // Deprecated enum values differ from current ones only in case, as in the public API: as members of a TypeScript enum
  // they would have the same name.
  const config = { enumsAsTypes: true };
  const write = async (name: string, plugin: object, documents: { document: DocumentNode; location: string }[]) => {
    const filename = path.join(folder, name);
    const plugins = [{ plugin: {} }];
    const pluginMap = { plugin: plugin as typeof types };
    writeFileSync(filename, await codegen({ filename, schema, documents, plugins, pluginMap, config }));
  };
  await write('schema.ts', types, []);
  await write('issues.ts', operations, [{ document: ISSUES, location: 'issues.graphql' }]);
  writeFileSync(path.join(folder, 'use.ts'), USE);
  const compilerOptions = { target: 'es2023', module: 'nodenext', strict: true, noEmit: true, types: [] };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['schema.ts', 'issues.ts', 'use.ts'] }),
  );
  const compiler = path.resolve('node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  );
  t.is(stdout, '');
});

import { queryOptions } from '@tanstack/react-query';
import { graphql } from '../client/graphql.js';
import { ApiProblem } from '../client/problem.js';

const PER_PAGE = 20;

/** What was last deployed to an environment. */
interface LastDeployment {
  iid: string;
  ref: string;
  sha: string;
  finishedAt: string | null;
  triggerer: { name: string } | null;
}

/** An environment as the list shows it. */
export interface ListedEnvironment {
  id: string;
  name: string;
  state: string;
  tier: string;
  externalUrl: string | null;
  lastDeployment: LastDeployment | null;
}

/** Which environments are asked for. */
export interface AskedEnvironments {
  stopped: boolean;
  /** Where the page before ended; null for the first page. */
  after: string | null;
}

interface Answer {
  project: {
    nameWithNamespace: string;
    environments: {
      nodes: ListedEnvironment[];
      pageInfo: { endCursor: string | null; hasNextPage: boolean };
    } | null;
  } | null;
}

const LIST = `query ($path: ID!, $states: [String!], $first: Int, $after: String) {
  project(fullPath: $path) {
    nameWithNamespace
    environments(states: $states, first: $first, after: $after) {
      nodes {
        id name state tier externalUrl
        lastDeployment(status: SUCCESS) { iid ref sha finishedAt triggerer { name } }
      }
      pageInfo { endCursor hasNextPage }
    }
  }
}`;

/** A page of a project's environments, each with what is deployed there. */
export const environmentsQuery = (path: string, { stopped, after }: AskedEnvironments) =>
  queryOptions({
    queryKey: ['environments', path, stopped, after],
    queryFn: async () => {
      const states = stopped ? ['stopped'] : ['available', 'stopping'];
      const { project } = await graphql<Answer>(LIST, { path, states, first: PER_PAGE, after });
      if (!project) throw new ApiProblem('There is no such project, or you may not see it.', 404, null);
      if (!project.environments)
        throw new ApiProblem('Environments are switched off in this project, or are for its members alone.', 403, null);
      const { nodes, pageInfo } = project.environments;
      return { name: project.nameWithNamespace, rows: nodes, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
    },
  });

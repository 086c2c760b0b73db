import type { ResolverClass } from '../core/graphql/requests/engine.js';
import {
  EpicOfIssueResolver,
  EpicResolver,
  EpicsOfGroupResolver,
  IssuesOfEpicResolver,
} from './epics/epic-lists.graphql.js';
import { BlockingOfIssueResolver } from './issue-links/blocking-issues.graphql.js';
import { LinkedItemsOfIssueResolver, WorkItemResolver } from './issue-links/linked-items.graphql.js';
import { IssueResolver, IssuesOfGroupResolver, IssuesOfProjectResolver } from './issues/issue-lists.graphql.js';
import { IssueMutations } from './issues/issue-mutations.graphql.js';
import { LabelsOfGroupResolver, LabelsOfProjectResolver } from './labels/labels.graphql.js';
import {
  MilestoneResolver,
  MilestonesOfGroupResolver,
  MilestonesOfProjectResolver,
} from './milestones/milestones.graphql.js';
import { BlobsOfSnippetResolver } from './snippets/snippet-blobs.graphql.js';
import { SnippetMutations } from './snippets/snippet-mutations.graphql.js';
import { SnippetResolver, SnippetsOfProjectResolver } from './snippets/snippets.graphql.js';

/** What GraphQL serves of this domain. */
export const planningResolvers: readonly ResolverClass[] = [
  BlobsOfSnippetResolver,
  BlockingOfIssueResolver,
  EpicOfIssueResolver,
  EpicResolver,
  EpicsOfGroupResolver,
  IssuesOfEpicResolver,
  IssueMutations,
  IssueResolver,
  IssuesOfGroupResolver,
  IssuesOfProjectResolver,
  LabelsOfProjectResolver,
  LabelsOfGroupResolver,
  LinkedItemsOfIssueResolver,
  MilestoneResolver,
  MilestonesOfProjectResolver,
  MilestonesOfGroupResolver,
  SnippetMutations,
  SnippetResolver,
  SnippetsOfProjectResolver,
  WorkItemResolver,
];

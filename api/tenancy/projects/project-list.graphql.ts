import { Args, ArgsType, Ctx, Field, ID, Query, registerEnumType, Resolver } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { ACCESS_LEVELS } from '../../../shared/core/operations/policy.js';
import { findProjects } from '../../../shared/tenancy/project-details/find-projects.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { readPlainId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { CalendarDate } from '../../core/graphql/scalars.js';
import { ProjectType } from './projects.graphql.js';

const { no_access, minimal, guest, planner, reporter, developer, maintainer, owner, admin } = ACCESS_LEVELS;

/** Roles by their level. */
export const AccessLevelEnum = {
  NO_ACCESS: no_access,
  MINIMAL_ACCESS: minimal,
  GUEST: guest,
  PLANNER: planner,
  REPORTER: reporter,
  DEVELOPER: developer,
  MAINTAINER: maintainer,
  OWNER: owner,
  ADMIN: admin,
} as const;
registerEnumType(AccessLevelEnum, {
  name: 'AccessLevelEnum',
  description: 'Access level of a member in a group or project.',
  valuesConfig: Object.fromEntries(
    Object.keys(AccessLevelEnum).map((name) => [
      name,
      { description: `Access level of the ${name.toLowerCase().replaceAll('_', ' ')} role.` },
    ]),
  ),
});

export const VisibilityLevelsEnum = { private: 'private', internal: 'internal', public: 'public' } as const;
registerEnumType(VisibilityLevelsEnum, {
  name: 'VisibilityLevelsEnum',
  description: 'Visibility level of an object.',
  valuesConfig: {
    private: { description: 'Visible to members only.' },
    internal: { description: 'Visible to all signed-in users.' },
    public: { description: 'Visible to everybody.' },
  },
});

const ProjectArchived = { ONLY: 'only', INCLUDE: 'include', EXCLUDE: 'exclude' } as const;
registerEnumType(ProjectArchived, {
  name: 'ProjectArchived',
  description: 'Filter of projects by their archived state.',
  valuesConfig: {
    ONLY: { description: 'Returns only archived projects.' },
    INCLUDE: { description: 'Includes archived and other projects.' },
    EXCLUDE: { description: 'Excludes archived projects.' },
  },
});

export const ProjectConnection = connectionType(ProjectType, 'Project', { count: true });

@ArgsType()
class ProjectsArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Global IDs of the projects.' })
  ids?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Full paths of the projects, at most 50.' })
  fullPaths?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Search query: words in the path, name, or description.' })
  search?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, searches in the full path and full name instead.' })
  searchNamespaces?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, returns only projects that the caller is a member of.',
  })
  membership?: boolean | null;

  @Field(() => AccessLevelEnum, { nullable: true, description: 'Minimum access level of the caller in the projects.' })
  minAccessLevel?: number | null;

  @Field(() => [String], { nullable: true, description: 'Topics that the projects all have.' })
  topics?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "If `true`, returns only projects in the caller's own namespace.",
  })
  personal?: boolean | null;

  @Field(() => ProjectArchived, { nullable: true, description: 'Filter by archived state.' })
  archived?: (typeof ProjectArchived)[keyof typeof ProjectArchived] | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'If `true`, returns projects that are neither archived nor marked for deletion. If `false`, returns all other projects.',
  })
  active?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, returns only projects marked for deletion.' })
  aimedForDeletion?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, returns only projects not marked for deletion.' })
  notAimedForDeletion?: boolean | null;

  @Field(() => CalendarDate, { nullable: true, description: 'Date on which the projects were marked for deletion.' })
  markedForDeletionOn?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, also includes hidden projects. There are no hidden projects.',
  })
  includeHidden?: boolean | null;

  @Field(() => ID, { nullable: true, description: 'Full path of the namespace that directly contains the projects.' })
  namespacePath?: string | null;

  @Field(() => VisibilityLevelsEnum, { nullable: true, description: 'Filter by visibility level.' })
  visibilityLevel?: string | null;

  @Field(() => String, { nullable: true, description: 'Programming language that the projects contain code in.' })
  programmingLanguageName?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, returns only projects whose issues the caller may see.',
  })
  withIssuesEnabled?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, returns only projects whose merge requests the caller may see.',
  })
  withMergeRequestsEnabled?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Sort order: `<column>_asc`, `<column>_desc`, or `similarity`.' })
  sort?: string | null;
}

/** The arguments under the names that the operation has for them. */
function getParams(args: ProjectsArgs): Record<string, unknown> {
  return {
    ids: args.ids?.map((id) => readPlainId(id, 'Project')),
    full_paths: args.fullPaths,
    search: args.search,
    search_namespaces: args.searchNamespaces,
    membership: args.membership,
    min_access_level: args.minAccessLevel,
    topics: args.topics,
    personal: args.personal,
    archived: args.archived === 'only' ? true : args.archived === 'exclude' ? false : undefined,
    active: args.active,
    aimed_for_deletion: args.aimedForDeletion,
    not_aimed_for_deletion: args.notAimedForDeletion,
    marked_for_deletion_on: args.markedForDeletionOn,
    include_hidden: args.includeHidden,
    namespace_path: args.namespacePath,
    visibility: args.visibilityLevel,
    with_programming_language: args.programmingLanguageName,
    with_issues_enabled: args.withIssuesEnabled,
    with_merge_requests_enabled: args.withMergeRequestsEnabled,
    sort: args.sort,
  };
}

@Resolver()
export class ProjectsResolver {
  @Query(() => ProjectConnection, {
    nullable: true,
    complexity: paged,
    description: 'Projects that the caller may see.',
  })
  async projects(@Args(() => ProjectsArgs) args: ProjectsArgs, @Ctx() request: GraphqlRequest): Promise<unknown> {
    const list = await invoke(request.ctx, findProjects, getParams(args));
    return connectionOf(request, list, args, (record) => new ProjectType(record, request));
  }
}

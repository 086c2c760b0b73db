import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { markdownHtml } from '../../../shared/core/markdown/markdown-html.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { groupsById } from '../../../shared/tenancy/groups/group.finder.js';
import { findNamespace } from '../../../shared/tenancy/namespaces/namespace.finder.js';
import { getNamespace } from '../../../shared/tenancy/namespaces/namespace.operations.js';
import { findProjects } from '../../../shared/tenancy/project-details/find-projects.js';
import { connectionOf, PageArgs } from '../../core/graphql/connections.js';
import { lookup, paged } from '../../core/graphql/costs.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { globalId, readPlainId } from '../../core/graphql/global-ids.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { RecordField, RecordObject } from '../../core/graphql/records.js';
import { ProjectConnection } from '../projects/project-list.graphql.js';
import { ProjectType } from '../projects/projects.graphql.js';

/** The data behind the fields of every namespace. */
export interface NamespaceDetails {
  id: number;
  kind: string;
  name: string;
  path: string;
  full_path: string;
  full_name: string;
  visibility: string;
  description: string;
}

/** The description as its reader sees it. */
const namespaceHtml = markdownHtml<NamespaceDetails, 'description'>(
  ({ description }) => ({ description }),
  ({ id }) => ({ kind: 'group', id }),
);

@ArgsType()
class NamespaceProjectsArgs extends PageArgs {
  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'If `true`, also includes projects of the subgroups.',
  })
  includeSubgroups?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Search query: words in the path, name, or description.' })
  search?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Global IDs of the projects.' })
  ids?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Sort order: `<column>_asc`, `<column>_desc`, or `similarity`.' })
  sort?: string | null;
}

/** What groups and people's own namespaces have in common (graphql.md section 5.2). */
@ObjectType()
export abstract class NamespaceFields<R extends NamespaceDetails = NamespaceDetails> extends RecordObject<R> {
  @Field(() => ID, { description: 'Global ID of the namespace.' })
  get id(): string {
    return globalId(this.record.kind === 'group' ? 'Group' : 'Namespaces::UserNamespace', this.record.id);
  }

  @RecordField(() => String, { description: 'Name of the namespace.' })
  declare readonly name: string;

  @RecordField(() => String, { description: 'Last part of the path of the namespace.' })
  declare readonly path: string;

  @RecordField(() => String, { description: 'Full name of the namespace, with the names of its ancestor groups.' })
  declare readonly fullName: string;

  @RecordField(() => ID, { description: 'Full path of the namespace, with its ancestor groups.' })
  declare readonly fullPath: string;

  @RecordField(() => String, {
    nullable: true,
    description: 'Visibility of the namespace: `private`, `internal` or `public`.',
  })
  declare readonly visibility: string;

  @RecordField(() => String, { nullable: true, description: 'Description of the namespace.' })
  declare readonly description: string;

  @Field(() => String, { nullable: true, description: 'Description of the namespace, as HTML.' })
  async descriptionHtml(): Promise<string | null> {
    return (await loadField(this.request, namespaceHtml, this.record as NamespaceDetails))?.description ?? null;
  }

  @Field(() => ProjectConnection, {
    nullable: true,
    complexity: paged,
    description: 'Projects in the namespace that the caller may see.',
  })
  async projects(@Args(() => NamespaceProjectsArgs) args: NamespaceProjectsArgs): Promise<unknown> {
    const { ctx } = this.request;
    const list = await invoke(ctx, findProjects, {
      namespace_path: this.record.full_path,
      include_subgroups: args.includeSubgroups,
      search: args.search,
      ids: args.ids?.map((id) => readPlainId(id, 'Project')),
      sort: args.sort,
    });
    return connectionOf(this.request, list, args, (record) => new ProjectType(record, this.request));
  }
}

/** The parent of a project: a group, or a user's personal namespace. */
@ObjectType('Namespace', { description: 'Namespace of projects: a group, or the namespace of a user.' })
export class NamespaceType extends NamespaceFields {
  @Field(() => Boolean, {
    nullable: true,
    description: 'Indicates users may request access to the namespace; null for namespaces of users.',
  })
  async requestAccessEnabled(): Promise<boolean | null> {
    if (this.record.kind !== 'group') return null;
    return (await this.request.load(groupsById, this.record.id))?.settings.request_access_enabled ?? null;
  }
}

@Resolver(() => ProjectType)
export class NamespaceOfProjectResolver {
  @FieldResolver(() => NamespaceType, { nullable: true, description: 'Namespace of the project.' })
  namespace(@Root() { record }: ProjectType, @Ctx() request: GraphqlRequest): NamespaceType {
    const { namespace, full_name: fullName, name } = record;
    const namespaceDetails = { ...namespace, full_name: fullName.slice(0, -(name.length + ' / '.length)) };
    return new NamespaceType(namespaceDetails, request);
  }
}

@Resolver()
export class NamespaceResolver {
  @Query(() => NamespaceType, {
    nullable: true,
    complexity: lookup,
    description: 'Namespace with the specified full path.',
  })
  async namespace(
    @Arg('fullPath', () => ID, { description: 'Full path of the namespace, with its ancestor groups.' })
    fullPath: string,
    @Ctx() request: GraphqlRequest,
  ): Promise<NamespaceType> {
    const found = await invoke(request.ctx, getNamespace, {}, () => findNamespaceOfPath(request, fullPath));
    return new NamespaceType(found, request);
  }
}

/** Callers of GraphQL know no database keys: a path of digits is a path. */
const findNamespaceOfPath = (request: GraphqlRequest, fullPath: string) =>
  findNamespace(request.ctx, fullPath, { byPath: true });

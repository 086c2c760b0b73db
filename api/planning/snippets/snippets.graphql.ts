import {
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { projectsOfIssuables } from '../../../shared/planning/issuables/issuable-loads.js';
import { findSnippets } from '../../../shared/planning/snippets/find-snippets.js';
import { snippetHtml, snippetSerializer } from '../../../shared/planning/snippets/snippet.serializer.js';
import { snippetPolicy } from '../../../shared/planning/snippets/snippet.policy.js';
import type { ListedSnippet, SnippetRecord } from '../../../shared/planning/snippets/snippet.entity.js';
import { connectionOf, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { paged } from '../../core/graphql/costs.js';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { RecordField, recordType, SerializedField } from '../../core/graphql/records.js';
import { NoteableInterface } from '../issuables/noteable-interface.graphql.js';
import { VisibilityLevelsEnum } from '../../tenancy/projects/project-list.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType, UserID } from '../../tenancy/users/users.graphql.js';

/** Accepts ids of both types; the snippet's own id contains its type. */
export const SnippetID = globalIdScalar('Snippet', 'ProjectSnippet', 'PersonalSnippet');
const ProjectID = globalIdScalar('Project');

const VisibilityScopesEnum = { private: 'private', internal: 'internal', public: 'public' } as const;
registerEnumType(VisibilityScopesEnum, {
  name: 'VisibilityScopesEnum',
  description: 'Visibility level of a snippet.',
  valuesConfig: {
    private: { description: 'Snippet is visible to its author and the members of its project.' },
    internal: { description: 'Snippet is visible to all signed-in users.' },
    public: { description: 'Snippet is visible to everybody.' },
  },
});

const TypeEnum = { personal: 'personal', project: 'project' } as const;
registerEnumType(TypeEnum, {
  name: 'TypeEnum',
  description: 'Type of a snippet.',
  valuesConfig: {
    personal: { description: 'Snippet is personal and belongs to no project.' },
    project: { description: 'Snippet belongs to a project.' },
  },
});

const SnippetPermissions = permissionsType('SnippetPermissions', snippetPolicy, {
  readSnippet: 'read_snippet',
  updateSnippet: 'update_snippet',
  adminSnippet: 'destroy_snippet',
  createNote: 'comment_on_snippet',
});

const getKind = ({ project_id: project }: ListedSnippet) => (project ? 'ProjectSnippet' : 'PersonalSnippet');

/** A snippet for callers with read access. */
@ObjectType('Snippet', { implements: NoteableInterface, description: 'Snippet: a few files with a title.' })
export class SnippetObject extends recordType<ListedSnippet>('snippet', getKind, { idType: SnippetID }) {
  /** With its project, for rules. */
  async full(): Promise<SnippetRecord> {
    const { project_id: id } = this.record;
    const project = id ? await this.request.load(projectsOfIssuables, this.record as { project_id: number }) : null;
    return { ...this.record, project: project ?? null };
  }

  @RecordField(() => String, { description: 'Title of the snippet.' })
  declare readonly title: string;

  @RecordField(() => String, { nullable: true, description: 'Description of the snippet, in Markdown.' })
  declare readonly description: string | null;

  @Field(() => String, { nullable: true, description: 'Description of the snippet, as HTML.' })
  async descriptionHtml(): Promise<string> {
    return (await loadField(this.request, snippetHtml, this.record))?.description ?? '';
  }

  @Field(() => String, { nullable: true, description: 'Path of the first file of the snippet.' })
  get fileName(): string | null {
    return this.record.file_paths[0] ?? null;
  }

  @RecordField(() => VisibilityLevelsEnum, { description: 'Visibility level of the snippet.', column: 'visibility' })
  declare readonly visibilityLevel: string;

  @Field(() => UserCoreType, { nullable: true, description: 'User who created the snippet.' })
  get author(): UserCoreType | null {
    return UserCoreType.of(this.record.author, this.request);
  }

  @Field(() => ProjectType, { nullable: true, description: 'Project of the snippet; null for a personal snippet.' })
  async project(): Promise<ProjectType | null> {
    const { project } = await this.full();
    return project && new ProjectType(project, this.request);
  }

  @SerializedField(snippetSerializer, () => String, { description: 'Web URL of the snippet.' })
  declare readonly webUrl: string;

  @SerializedField(snippetSerializer, () => String, {
    description: 'URL of the raw content of the first file of the snippet.',
  })
  declare readonly rawUrl: string;

  @SerializedField(snippetSerializer, () => String, {
    nullable: true,
    description: 'SSH URL of the git repository of the snippet.',
  })
  declare readonly sshUrlToRepo: string;

  @SerializedField(snippetSerializer, () => String, {
    nullable: true,
    description: 'HTTP URL of the git repository of the snippet.',
  })
  declare readonly httpUrlToRepo: string;

  @Field(() => SnippetPermissions, { description: 'Permissions of the caller on the snippet.' })
  async userPermissions(): Promise<unknown> {
    return new SnippetPermissions(this.request.ctx.caller, await this.full());
  }
}

const SnippetConnection = connectionType(SnippetObject, 'Snippet');

@ArgsType()
class ProjectSnippetsArgs extends PageArgs {
  @Field(() => [SnippetID], { nullable: true, description: 'Global IDs of the snippets.' })
  ids?: GlobalId[] | null;

  @Field(() => VisibilityScopesEnum, { nullable: true, description: 'Filter by visibility level.' })
  visibility?: string | null;
}

@ArgsType()
class SnippetsArgs extends ProjectSnippetsArgs {
  @Field(() => UserID, { nullable: true, description: 'Global ID of the author of the snippets.' })
  authorId?: GlobalId | null;

  @Field(() => ProjectID, { nullable: true, description: 'Global ID of the project of the snippets.' })
  projectId?: GlobalId | null;

  @Field(() => TypeEnum, { nullable: true, description: 'Filter by type: personal snippets, or snippets of projects.' })
  type?: string | null;
}

async function snippetsPage(request: GraphqlRequest, args: SnippetsArgs): Promise<unknown> {
  const { ids, visibility, authorId, projectId, type } = args;
  const list = await invoke(request.ctx, findSnippets, {
    ids: ids?.map(({ id }) => id),
    visibility,
    author_id: authorId?.id,
    project_id: projectId?.id,
    type,
  });
  return connectionOf(request, list, args, (one) => new SnippetObject(one, request));
}

@Resolver()
export class SnippetResolver {
  @Query(() => SnippetConnection, {
    nullable: true,
    complexity: paged,
    description: 'Project and personal snippets that the caller may read, the newest first.',
  })
  snippets(@Args(() => SnippetsArgs) args: SnippetsArgs, @Ctx() request: GraphqlRequest): Promise<unknown> {
    return snippetsPage(request, args);
  }
}

@Resolver(() => ProjectType)
export class SnippetsOfProjectResolver {
  @FieldResolver(() => SnippetConnection, {
    nullable: true,
    complexity: paged,
    description: 'Snippets of the project that the caller may read, the newest first.',
  })
  snippets(
    @Root() { record }: ProjectType,
    @Args(() => ProjectSnippetsArgs) args: ProjectSnippetsArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return snippetsPage(request, { ...args, projectId: { type: 'Project', id: record.id } });
  }
}

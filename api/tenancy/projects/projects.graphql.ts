import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import { Arg, Ctx, Extensions, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/core/context/context.js';
import { NotFound } from '../../../shared/core/values/errors.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { findProject } from '../../../shared/tenancy/projects/project.finder.js';
import { getProject } from '../../../shared/tenancy/project-details/project.operations.js';
import { projectPolicy } from '../../../shared/tenancy/projects/project.policy.js';
import { fullProject } from '../../../shared/tenancy/project-details/project.serializer.js';
import { attributesOfProjects } from '../../../shared/tenancy/containers/custom-attribute.serializer.js';
import { CUSTOM_ATTRIBUTES, CustomAttributeType, customAttributesOf } from '../containers/custom-attributes.graphql.js';
import { lookup } from '../../core/graphql/costs.js';
import { globalId } from '../../core/graphql/global-ids.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { CalendarDate, Time } from '../../core/graphql/scalars.js';
import { presentField } from '../../core/graphql/present-field.js';

const ProjectPermissions = permissionsType('ProjectPermissions', projectPolicy, {
  adminProject: 'admin_project',
  createPipeline: 'create_pipeline',
  createPipelineSchedule: 'create_pipeline_schedule',
  downloadCode: 'read_code',
  pushCode: 'push_code',
  readProject: 'read_project',
});

/** The git repository of a project, as far as the caller may see code. */
@ObjectType('Repository', { description: 'The git repository of a project.' })
export class RepositoryType {
  constructor(private readonly project: ProjectRecord) {}

  @Field(() => String, { nullable: true, description: 'Name of the default branch.' })
  get rootRef(): string | null {
    return this.project.default_branch ?? null;
  }

  @Field(() => Boolean, { description: 'Whether it has no commit yet.' })
  get empty(): boolean {
    return this.project.default_branch === null;
  }

  @Field(() => Boolean, { description: 'Whether it is stored: the first write makes it.' })
  get exists(): boolean {
    return this.project.repository_created;
  }
}

/** Projects with everything that their full record shows, loaded together however many there are. */
async function loadInFull(ctx: Context, records: readonly ProjectRecord[]) {
  await fullProject.load(ctx, records);
  return new Map(records.map((record) => [record, record]));
}

/** A project with everything that its full record shows. */
export async function inFull(request: GraphqlRequest, project: ProjectType): Promise<ProjectRecord> {
  return (await request.load(loadInFull, project.record)) ?? project.record;
}

/** A project as a caller who may see it sees it. */
@ObjectType('Project', { description: 'A place for code, its pipelines and the work on it.' })
export class ProjectType {
  constructor(
    readonly record: ProjectRecord,
    readonly request: GraphqlRequest,
  ) {}

  #presentField(key: string): unknown {
    return presentField(fullProject, key, this.record, this.request.ctx);
  }

  /** The same, for what has to be loaded first. */
  async #presentFieldInFull(key: string): Promise<unknown> {
    return presentField(fullProject, key, await inFull(this.request, this), this.request.ctx);
  }

  @Field(() => ID, { description: 'Global id.' })
  get id(): string {
    return globalId('Project', this.record.id);
  }

  @Field(() => ID, { description: 'Path with the namespaces above it.' })
  get fullPath(): string {
    return this.record.full_path;
  }

  @Field(() => String, { description: 'Name.' })
  get name(): string {
    return this.record.name;
  }

  @Field(() => String, { description: 'Last part of the path.' })
  get path(): string {
    return this.record.path;
  }

  @Field(() => String, { description: 'Name with the names of the namespaces above it.' })
  get nameWithNamespace(): string {
    return this.record.full_name;
  }

  @Field(() => String, { nullable: true, description: 'What the project is about.' })
  get description(): string | null {
    return this.record.description ?? null;
  }

  @Field(() => [String], { nullable: true, description: 'Words that the project is found by.' })
  topics(): Promise<unknown> {
    return this.#presentFieldInFull('topics');
  }

  @Field(() => [String], {
    nullable: true,
    description: 'Words that the project is found by.',
    deprecationReason: 'Use `topics`. Deprecated in Service 13.12.',
  })
  tagList(): Promise<unknown> {
    return this.#presentFieldInFull('tag_list');
  }

  @Field(() => String, { nullable: true, description: '`private`, `internal` or `public`.' })
  get visibility(): string {
    return this.record.visibility;
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether the project is kept read-only.' })
  get archived(): unknown {
    return this.#presentField('archived');
  }

  @Field(() => String, { nullable: true, description: 'URL of the project.' })
  get webUrl(): unknown {
    return this.#presentField('web_url');
  }

  @Field(() => String, { nullable: true, description: 'URL of the picture.' })
  get avatarUrl(): unknown {
    return this.#presentField('avatar_url');
  }

  @Field(() => String, { nullable: true, description: 'Address to clone from over SSH.' })
  get sshUrlToRepo(): unknown {
    return this.#presentField('ssh_url_to_repo');
  }

  @Field(() => String, { nullable: true, description: 'Address to clone from over HTTP.' })
  get httpUrlToRepo(): unknown {
    return this.#presentField('http_url_to_repo');
  }

  @Field(() => Time, { nullable: true, description: 'When the project was created.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { nullable: true, description: 'When its record last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }

  @Field(() => Time, { nullable: true, description: 'When something last happened in it.' })
  get lastActivityAt(): Date {
    return this.record.last_activity_at;
  }

  @Field(() => Int, { description: 'How many users starred it.' })
  get starCount(): number {
    return this.record.star_count;
  }

  @Field(() => CalendarDate, { nullable: true, description: 'The day on which its deletion was asked for.' })
  get markedForDeletionOn(): unknown {
    return this.#presentField('marked_for_deletion_on');
  }

  @Field(() => RepositoryType, {
    nullable: true,
    description: 'Its git repository; null for those who may not see code.',
  })
  get repository(): RepositoryType | null {
    const { ctx } = this.request;
    return projectPolicy.read_code(ctx.caller, this.record) ? new RepositoryType(this.record) : null;
  }

  @Extensions(SHORT)
  @Field(() => [CustomAttributeType], CUSTOM_ATTRIBUTES)
  customAttributes(): Promise<unknown> {
    return customAttributesOf(this.request, attributesOfProjects, this.record.id);
  }

  @Field(() => ProjectPermissions, { description: 'What the caller may do with the project.' })
  get userPermissions(): unknown {
    return new ProjectPermissions(this.request.ctx.caller, this.record);
  }
}

/**
 * The project of a full path, for arguments that name one.
 * @throws NotFound also for what is invisible, and for numbers: callers of GraphQL know no database keys
 */
export async function projectOfPath(request: GraphqlRequest, fullPath: string): Promise<ProjectRecord> {
  if (!fullPath.includes('/')) throw new NotFound('Project');
  return findProject(request.ctx, fullPath);
}

@Resolver()
export class ProjectResolver {
  @Query(() => ProjectType, { nullable: true, complexity: lookup, description: 'The project of a full path.' })
  async project(
    @Arg('fullPath', () => ID, { description: 'Path with the namespaces above it.' }) fullPath: string,
    @Ctx() request: GraphqlRequest,
  ): Promise<ProjectType> {
    const found = await invoke(request.ctx, getProject, {}, () => projectOfPath(request, fullPath));
    return new ProjectType(found, request);
  }
}

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
import {
  CUSTOM_ATTRIBUTES,
  CustomAttributeType,
  loadCustomAttributes,
} from '../containers/custom-attributes.graphql.js';
import { lookup } from '../../core/graphql/costs.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { CalendarDate, Time } from '../../core/graphql/scalars.js';
import { presentField } from '../../core/graphql/present-field.js';
import { RecordField, recordType, SerializedField } from '../../core/graphql/records.js';

const ProjectPermissions = permissionsType('ProjectPermissions', projectPolicy, {
  adminProject: 'admin_project',
  createPipeline: 'create_pipeline',
  createPipelineSchedule: 'create_pipeline_schedule',
  downloadCode: 'read_code',
  pushCode: 'push_code',
  readProject: 'read_project',
});

/** The git repository of a project, as far as the caller may see code. */
@ObjectType('Repository', { description: 'Git repository of a project.' })
export class RepositoryType {
  constructor(readonly record: ProjectRecord) {}

  @RecordField(() => String, { nullable: true, description: 'Name of the default branch.', column: 'default_branch' })
  declare readonly rootRef: string | null;

  @Field(() => Boolean, { description: 'Indicates the repository has no commits yet.' })
  get empty(): boolean {
    return this.record.default_branch === null;
  }

  @RecordField(() => Boolean, {
    description: 'Indicates the repository exists. The first write creates the repository.',
    column: 'repository_created',
  })
  declare readonly exists: boolean;
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

/** A project for callers with access to it. */
@ObjectType('Project', { description: 'Project with code, pipelines, and the work on them.' })
export class ProjectType extends recordType<ProjectRecord>('project', 'Project', { times: { nullable: true } }) {
  /** What REST shows under a key, for what has to be loaded first. */
  async #presentFieldInFull(key: string): Promise<unknown> {
    return presentField(fullProject, key, await inFull(this.request, this), this.request.ctx);
  }

  @RecordField(() => ID, { description: 'Full path of the project, with its namespaces.' })
  declare readonly fullPath: string;

  @RecordField(() => String, { description: 'Name of the project.' })
  declare readonly name: string;

  @RecordField(() => String, { description: 'Last part of the path of the project.' })
  declare readonly path: string;

  @RecordField(() => String, {
    description: 'Name of the project, with the names of its namespaces.',
    column: 'full_name',
  })
  declare readonly nameWithNamespace: string;

  @RecordField(() => String, { nullable: true, description: 'Description of the project.' })
  declare readonly description: string | null;

  @Field(() => [String], { nullable: true, description: 'List of topics of the project.' })
  topics(): Promise<unknown> {
    return this.#presentFieldInFull('topics');
  }

  @Field(() => [String], {
    nullable: true,
    description: 'List of topics of the project.',
    deprecationReason: 'Use `topics`. Deprecated in Service 13.12.',
  })
  tagList(): Promise<unknown> {
    return this.#presentFieldInFull('tag_list');
  }

  @RecordField(() => String, {
    nullable: true,
    description: 'Visibility of the project: `private`, `internal` or `public`.',
  })
  declare readonly visibility: string;

  @SerializedField(fullProject, () => Boolean, {
    nullable: true,
    description: 'Indicates the project is archived and read-only.',
  })
  declare readonly archived: unknown;

  @SerializedField(fullProject, () => String, { nullable: true, description: 'Web URL of the project.' })
  declare readonly webUrl: unknown;

  @SerializedField(fullProject, () => String, { nullable: true, description: 'URL of the avatar of the project.' })
  declare readonly avatarUrl: unknown;

  @SerializedField(fullProject, () => String, { nullable: true, description: 'URL to clone the project over SSH.' })
  declare readonly sshUrlToRepo: unknown;

  @SerializedField(fullProject, () => String, { nullable: true, description: 'URL to clone the project over HTTP.' })
  declare readonly httpUrlToRepo: unknown;

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of the last activity in the project.' })
  declare readonly lastActivityAt: Date;

  @RecordField(() => Int, { description: 'Number of users who starred the project.' })
  declare readonly starCount: number;

  @SerializedField(fullProject, () => CalendarDate, {
    nullable: true,
    description: 'Date when the deletion of the project was requested.',
  })
  declare readonly markedForDeletionOn: unknown;

  @Field(() => RepositoryType, {
    nullable: true,
    description: 'Git repository of the project; null for users who may not see code.',
  })
  get repository(): RepositoryType | null {
    const { ctx } = this.request;
    return projectPolicy.read_code(ctx.caller, this.record) ? new RepositoryType(this.record) : null;
  }

  @Extensions(SHORT)
  @Field(() => [CustomAttributeType], CUSTOM_ATTRIBUTES)
  customAttributes(): Promise<unknown> {
    return loadCustomAttributes(this.request, attributesOfProjects, this.record.id);
  }

  @Field(() => ProjectPermissions, { description: 'Permissions of the caller on the project.' })
  get userPermissions(): unknown {
    return new ProjectPermissions(this.request.ctx.caller, this.record);
  }
}

/**
 * The project of a full path, for arguments that identify one.
 * @throws NotFound also for invisible projects, and for numbers: GraphQL callers do not use database keys
 */
export async function projectOfPath(request: GraphqlRequest, fullPath: string): Promise<ProjectRecord> {
  if (!fullPath.includes('/')) throw new NotFound('Project');
  return findProject(request.ctx, fullPath);
}

@Resolver()
export class ProjectResolver {
  @Query(() => ProjectType, {
    nullable: true,
    complexity: lookup,
    description: 'Project with the specified full path.',
  })
  async project(
    @Arg('fullPath', () => ID, { description: 'Full path of the project, with its namespaces.' }) fullPath: string,
    @Ctx() request: GraphqlRequest,
  ): Promise<ProjectType> {
    const found = await invoke(request.ctx, getProject, {}, () => projectOfPath(request, fullPath));
    return new ProjectType(found, request);
  }
}

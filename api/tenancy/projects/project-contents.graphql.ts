import { Ctx, Extensions, Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../shared/core/context/context.js';
import { languageColors } from '../../../shared/tenancy/projects/language-data.js';
import { upstreams } from '../../../shared/tenancy/project-details/project-details.js';
import { projectDetails, statisticsById } from '../../../shared/tenancy/project-details/project-details.js';
import { languagesById } from '../../../shared/tenancy/projects/project-languages.js';
import type { LanguageShare } from '../../../shared/tenancy/projects/project-languages.js';
import type { ProjectStatistics } from '../../../shared/tenancy/projects/project-statistics.entity.js';
import { projectPolicy } from '../../../shared/tenancy/projects/project.policy.js';
import { fullProject, projectHtml } from '../../../shared/tenancy/project-details/project.serializer.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { presentField } from '../../core/graphql/present-field.js';
import { RecordField } from '../../core/graphql/records.js';
import { inFull, ProjectType } from './projects.graphql.js';

/** The storage used by a project, in bytes. */
@ObjectType('ProjectStatistics', { description: 'Storage statistics of a project; sizes in bytes.' })
class ProjectStatisticsType {
  constructor(readonly record: ProjectStatistics) {}

  @RecordField(() => Float, { description: 'Number of commits of the default branch.' })
  declare readonly commitCount: number;

  @RecordField(() => Float, { description: 'Total storage size in bytes.' })
  declare readonly storageSize: number;

  @RecordField(() => Float, { description: 'Size of the git repository in bytes.' })
  declare readonly repositorySize: number;

  @RecordField(() => Float, { nullable: true, description: 'Size of the wiki in bytes.' })
  declare readonly wikiSize: number;

  @RecordField(() => Float, { description: 'Size of Git LFS objects in bytes.' })
  declare readonly lfsObjectsSize: number;

  @RecordField(() => Float, { description: 'Size of job artifacts in bytes.', column: 'job_artifacts_size' })
  declare readonly buildArtifactsSize: number;

  @RecordField(() => Float, { description: 'Size of packages in bytes.' })
  declare readonly packagesSize: number;

  @RecordField(() => Float, { nullable: true, description: 'Size of snippets in bytes.' })
  declare readonly snippetsSize: number;

  @RecordField(() => Float, { nullable: true, description: 'Size of pipeline artifacts in bytes.' })
  declare readonly pipelineArtifactsSize: number;

  @RecordField(() => Float, { nullable: true, description: 'Size of uploaded files in bytes.' })
  declare readonly uploadsSize: number;

  @RecordField(() => Float, { nullable: true, description: 'Size of the images in the container registry in bytes.' })
  declare readonly containerRegistrySize: number;
}

/** A language that a project is written in. */
@ObjectType('RepositoryLanguage', { description: 'Programming language of a project.' })
class RepositoryLanguage {
  @Field(() => String, { description: 'Name of the language.' })
  name!: string;

  @Field(() => Float, { nullable: true, description: 'Percentage of bytes in this language.' })
  share!: number;

  @Field(() => String, { nullable: true, description: 'Colour to display the language in, `#rrggbb`.' })
  color!: string | null;
}

const languages = (ctx: Context, ids: readonly number[]): Promise<Map<number, LanguageShare[]>> =>
  languagesById(ctx, ids);
const statistics = (ctx: Context, ids: readonly number[]): Promise<Map<number, ProjectStatistics>> =>
  statisticsById(ctx, ids);

/** Data of a project beyond its own row: counters, languages, statistics, and its fork or import source. */
@Resolver(() => ProjectType)
export class ProjectContentsResolver {
  @FieldResolver(() => String, { nullable: true, description: 'Description of the project, as HTML.' })
  async descriptionHtml(@Root() { record }: ProjectType, @Ctx() request: GraphqlRequest): Promise<string | null> {
    return (await loadField(request, projectHtml, record))?.description ?? null;
  }

  @FieldResolver(() => Int, { description: 'Number of forks of the project.' })
  async forksCount(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<number> {
    const details = projectDetails.of(await inFull(request, project), request.ctx);
    return projectPolicy.read_code(request.ctx.caller, project.record) ? (details?.forks_count ?? 0) : 0;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of open issues of the project; null for users who may not see them.',
  })
  async openIssuesCount(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<unknown> {
    return presentField(fullProject, 'open_issues_count', await inFull(request, project), request.ctx);
  }

  @FieldResolver(() => Boolean, { description: 'Indicates the project was forked from another project.' })
  isForked(@Root() { record }: ProjectType): boolean {
    return typeof record.forked_from_id === 'number';
  }

  @FieldResolver(() => ProjectType, {
    nullable: true,
    description: 'Project that this project was forked from, if the caller may see that project.',
  })
  async forkedFrom(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<ProjectType | null> {
    const upstream = upstreams.of(await inFull(request, project), request.ctx);
    return upstream ? new ProjectType(upstream, request) : null;
  }

  @Extensions(SHORT)
  @FieldResolver(() => [RepositoryLanguage], {
    nullable: true,
    description: 'Programming languages of the project, the largest share first; null for users who may not see code.',
  })
  async languages(
    @Root() { record }: ProjectType,
    @Ctx() request: GraphqlRequest,
  ): Promise<RepositoryLanguage[] | null> {
    if (!projectPolicy.read_code(request.ctx.caller, record)) return null;
    const [found, colorOf] = await Promise.all([request.load(languages, record.id), languageColors()]);
    return (found ?? []).map(({ name, share }) => ({ name, share, color: colorOf(name) }));
  }

  @FieldResolver(() => ProjectStatisticsType, {
    nullable: true,
    description: 'Storage statistics of the project; null for users below the Reporter role.',
  })
  async statistics(
    @Root() { record }: ProjectType,
    @Ctx() request: GraphqlRequest,
  ): Promise<ProjectStatisticsType | null> {
    if (!projectPolicy.read_statistics(request.ctx.caller, record)) return null;
    const row = await request.load(statistics, record.id);
    return row && new ProjectStatisticsType(row);
  }
}

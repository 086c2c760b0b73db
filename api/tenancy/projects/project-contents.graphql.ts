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
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { presentField } from '../../core/graphql/present-field.js';
import { inFull, ProjectType } from './projects.graphql.js';

/** What a project stores, in bytes. */
@ObjectType('ProjectStatistics', { description: 'What a project stores; sizes in bytes.' })
class ProjectStatisticsType {
  constructor(private readonly row: ProjectStatistics) {}

  @Field(() => Float, { description: 'Commits of the default branch.' })
  get commitCount(): number {
    return this.row.commit_count;
  }

  @Field(() => Float, { description: 'Everything together.' })
  get storageSize(): number {
    return this.row.storage_size;
  }

  @Field(() => Float, { description: 'The git repository.' })
  get repositorySize(): number {
    return this.row.repository_size;
  }

  @Field(() => Float, { nullable: true, description: 'The wiki.' })
  get wikiSize(): number {
    return this.row.wiki_size;
  }

  @Field(() => Float, { description: 'Large files.' })
  get lfsObjectsSize(): number {
    return this.row.lfs_objects_size;
  }

  @Field(() => Float, { description: 'Artifacts of jobs.' })
  get buildArtifactsSize(): number {
    return this.row.job_artifacts_size;
  }

  @Field(() => Float, { description: 'Packages.' })
  get packagesSize(): number {
    return this.row.packages_size;
  }

  @Field(() => Float, { nullable: true, description: 'Snippets.' })
  get snippetsSize(): number {
    return this.row.snippets_size;
  }

  @Field(() => Float, { nullable: true, description: 'Artifacts of pipelines.' })
  get pipelineArtifactsSize(): number {
    return this.row.pipeline_artifacts_size;
  }

  @Field(() => Float, { nullable: true, description: 'Uploaded files.' })
  get uploadsSize(): number {
    return this.row.uploads_size;
  }

  @Field(() => Float, { nullable: true, description: 'Images of the container registry.' })
  get containerRegistrySize(): number {
    return this.row.container_registry_size;
  }
}

/** A language that a project is written in. */
@ObjectType('RepositoryLanguage', { description: 'A language that a project is written in.' })
class RepositoryLanguage {
  @Field(() => String, { description: 'Name.' })
  name!: string;

  @Field(() => Float, { nullable: true, description: 'Percent of the bytes.' })
  share!: number;

  @Field(() => String, { nullable: true, description: 'Colour that it is shown in, `#rrggbb`.' })
  color!: string | null;
}

const languages = (ctx: Context, ids: readonly number[]): Promise<Map<number, LanguageShare[]>> =>
  languagesById(ctx, ids);
const statistics = (ctx: Context, ids: readonly number[]): Promise<Map<number, ProjectStatistics>> =>
  statisticsById(ctx, ids);

/** What a project has beyond its own row: counters, languages, statistics, where it came from. */
@Resolver(() => ProjectType)
export class ProjectContentsResolver {
  @FieldResolver(() => String, { nullable: true, description: 'The description, as HTML.' })
  async descriptionHtml(@Root() { record }: ProjectType, @Ctx() request: GraphqlRequest): Promise<string | null> {
    return (await loadedOf(request, projectHtml, record))?.description ?? null;
  }

  @FieldResolver(() => Int, { description: 'How often it was forked.' })
  async forksCount(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<number> {
    const details = projectDetails.of(await inFull(request, project), request.ctx);
    return projectPolicy.read_code(request.ctx.caller, project.record) ? (details?.forks_count ?? 0) : 0;
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Open issues; null for those who may not see them.' })
  async openIssuesCount(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<unknown> {
    return presentField(fullProject, 'open_issues_count', await inFull(request, project), request.ctx);
  }

  @FieldResolver(() => Boolean, { description: 'Whether it was forked from another project.' })
  isForked(@Root() { record }: ProjectType): boolean {
    return typeof record.forked_from_id === 'number';
  }

  @FieldResolver(() => ProjectType, { nullable: true, description: 'What it was forked from, if the caller sees it.' })
  async forkedFrom(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<ProjectType | null> {
    const upstream = upstreams.of(await inFull(request, project), request.ctx);
    return upstream ? new ProjectType(upstream, request) : null;
  }

  @Extensions(SHORT)
  @FieldResolver(() => [RepositoryLanguage], {
    nullable: true,
    description: 'What it is written in, the largest share first; null for those who may not see code.',
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
    description: 'What it stores; null below Reporter.',
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

import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { fullProject } from '../../../shared/tenancy/projects/project.shape.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { shown } from '../../core/graphql/shown.js';
import { FeatureAccess } from './project-features.graphql.js';
import { inFull, ProjectType } from './projects.graphql.js';

/** A level as the full record shows it; null where the plan lacks the feature. */
async function levelOf(project: ProjectType, request: GraphqlRequest, key: string): Promise<FeatureAccess | null> {
  const level = shown(fullProject, key, await inFull(request, project), request.ctx);
  return typeof level === 'string' ? new FeatureAccess(level) : null;
}

/** The features of a project whose levels are kept with its other settings. */
@Resolver(() => ProjectType)
export class ProjectMoreFeaturesResolver {
  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use pages.' })
  pagesAccessLevel(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'pages_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use the container registry.' })
  containerRegistryAccessLevel(
    @Root() project: ProjectType,
    @Ctx() request: GraphqlRequest,
  ): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'container_registry_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use packages.' })
  packageRegistryAccessLevel(
    @Root() project: ProjectType,
    @Ctx() request: GraphqlRequest,
  ): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'package_registry_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use security and compliance.' })
  securityAndComplianceAccessLevel(
    @Root() project: ProjectType,
    @Ctx() request: GraphqlRequest,
  ): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'security_and_compliance_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use requirements.' })
  requirementsAccessLevel(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'requirements_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use releases.' })
  releasesAccessLevel(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'releases_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use feature flags.' })
  featureFlagsAccessLevel(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'feature_flags_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use infrastructure.' })
  infrastructureAccessLevel(
    @Root() project: ProjectType,
    @Ctx() request: GraphqlRequest,
  ): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'infrastructure_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use monitoring.' })
  monitorAccessLevel(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'monitor_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use model experiments.' })
  modelExperimentsAccessLevel(
    @Root() project: ProjectType,
    @Ctx() request: GraphqlRequest,
  ): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'model_experiments_access_level');
  }

  @FieldResolver(() => FeatureAccess, { nullable: true, description: 'Who may use the model registry.' })
  modelRegistryAccessLevel(
    @Root() project: ProjectType,
    @Ctx() request: GraphqlRequest,
  ): Promise<FeatureAccess | null> {
    return levelOf(project, request, 'model_registry_access_level');
  }
}

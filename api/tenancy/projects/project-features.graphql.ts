import { Ctx, Field, FieldResolver, Int, ObjectType, registerEnumType, Resolver, Root } from 'type-graphql';
import type { ContainerSetting } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { LEVELS_IN_ORDER } from '../../../shared/tenancy/projects/declared-features.js';
import { declaredSettings } from '../../../shared/tenancy/projects/declared-settings.js';
import { fullProject } from '../../../shared/tenancy/project-details/project.serializer.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { presentField } from '../../core/graphql/present-field.js';
import { declareSettingFields } from '../containers/setting-fields.graphql.js';
import { inFull, ProjectType } from './projects.graphql.js';

/** The users with access to a feature of a project. */
enum ProjectFeatureAccess {
  DISABLED = 'disabled',
  PRIVATE = 'private',
  ENABLED = 'enabled',
  PUBLIC = 'public',
}
registerEnumType(ProjectFeatureAccess, {
  name: 'ProjectFeatureAccessLevel',
  description: 'Access level of a feature of a project.',
  valuesConfig: {
    DISABLED: { description: 'Feature is disabled for everybody.' },
    PRIVATE: { description: 'Feature is enabled only for members of the project.' },
    ENABLED: { description: 'Feature is enabled for everyone who can see the project.' },
    PUBLIC: { description: 'Feature is public, for everyone who can see the project.' },
  },
});

/** From closed to open, each ten above the one before. */
const LEVELS: readonly string[] = [...LEVELS_IN_ORDER, 'public'];

/** A level as a number and as a word. */
@ObjectType('ProjectFeatureAccess', { description: 'Access level of a feature of a project.' })
class FeatureAccess {
  constructor(private readonly level: string) {}

  @Field(() => Int, {
    nullable: true,
    description:
      'Integer value of the access level: 0 nobody, 10 members, 20 everyone who can see the project, 30 everybody.',
  })
  get integerValue(): number {
    return LEVELS.indexOf(this.level) * 10;
  }

  @Field(() => ProjectFeatureAccess, { nullable: true, description: 'Enum value of the access level.' })
  get stringValue(): string {
    return this.level;
  }
}

/** The features of a project: whether they are open to the caller. */
@Resolver(() => ProjectType)
export class ProjectFeaturesResolver {
  async #flag(project: ProjectType, request: GraphqlRequest, key: string): Promise<boolean> {
    return presentField(fullProject, key, await inFull(request, project), request.ctx) === true;
  }

  @FieldResolver(() => Boolean, { nullable: true, description: 'Indicates the caller may use issues.' })
  issuesEnabled(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<boolean> {
    return this.#flag(project, request, 'issues_enabled');
  }

  @FieldResolver(() => Boolean, { nullable: true, description: 'Indicates the caller may use merge requests.' })
  mergeRequestsEnabled(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<boolean> {
    return this.#flag(project, request, 'merge_requests_enabled');
  }

  @FieldResolver(() => Boolean, { nullable: true, description: 'Indicates the caller may use the wiki.' })
  wikiEnabled(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<boolean> {
    return this.#flag(project, request, 'wiki_enabled');
  }

  @FieldResolver(() => Boolean, { nullable: true, description: 'Indicates the caller may use snippets.' })
  snippetsEnabled(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<boolean> {
    return this.#flag(project, request, 'snippets_enabled');
  }

  @FieldResolver(() => Boolean, { nullable: true, description: 'Indicates the caller may see CI/CD.' })
  jobsEnabled(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<boolean> {
    return this.#flag(project, request, 'jobs_enabled');
  }

  @FieldResolver(() => Boolean, { nullable: true, description: 'Indicates the caller may use the container registry.' })
  containerRegistryEnabled(@Root() project: ProjectType, @Ctx() request: GraphqlRequest): Promise<boolean> {
    return this.#flag(project, request, 'container_registry_enabled');
  }
}

const isLevel = (name: string) => name.endsWith('_access_level');

/** The value of a setting in REST; values in the record itself need no loading. */
async function presentSetting(project: ProjectType, name: string, { options }: ContainerSetting): Promise<unknown> {
  const { request } = project;
  const record = options.inRecord ? project.record : await inFull(request, project);
  const value = presentField(fullProject, name, record, request.ctx);
  return isLevel(name) && typeof value === 'string' ? new FeatureAccess(value) : value;
}

declareSettingFields(ProjectType, declaredSettings, presentSetting, {
  special: (name) => (isLevel(name) ? () => FeatureAccess : undefined),
});

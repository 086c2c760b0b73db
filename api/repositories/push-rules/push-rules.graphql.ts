import { Ctx, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { pushRules } from '../../../shared/repositories/push-rules/push-rule.entity.js';
import type { PushRule } from '../../../shared/repositories/push-rules/push-rule.entity.js';
import { pushRuleOperations } from '../../../shared/repositories/push-rules/push-rule.operations.js';
import { containerOfProject } from '../../../shared/tenancy/containers/container.js';
import { lookup } from '../../core/graphql/costs.js';
import { RecordObject } from '../../core/graphql/records.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { declareSettingFields } from '../../tenancy/containers/setting-fields.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';

@ObjectType('PushRules', { description: 'Rules that pushes to a project must follow.' })
class PushRulesType extends RecordObject<PushRule> {}
declareSettingFields(PushRulesType, pushRules, ({ record }, name) => record[name as keyof PushRule], {
  visibleToAll: true,
});

@Resolver(() => ProjectType)
export class PushRulesOfProjectResolver {
  @FieldResolver(() => PushRulesType, {
    nullable: true,
    complexity: lookup,
    description: 'Push rule of the project, if there is one; null for users below the Maintainer role.',
  })
  async pushRules(@Root() { record }: ProjectType, @Ctx() request: GraphqlRequest): Promise<PushRulesType> {
    const { get } = pushRuleOperations.project;
    const rule = await invoke(request.ctx, get, {}, () => Promise.resolve(containerOfProject(record)));
    return new PushRulesType(rule, request);
  }
}

import type { NamedContainer } from '../../tenancy/tenancy.events.js';
import type { PushRule } from './push-rule.entity.js';

export interface PushRuleEvents {
  'push_rule.updated': { readonly container: NamedContainer; readonly before: PushRule; readonly after: PushRule };
}

declare module '../../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends PushRuleEvents {}
}

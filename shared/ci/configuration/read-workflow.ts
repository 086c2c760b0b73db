import type { Value, WorkflowConfig } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterKey, pickValue } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readAutoCancel } from './read-auto-cancel.js';
import { readWorkflowRules } from './read-rules.js';
import { limitString, readHash } from './read-shapes.js';

const readName = limitString(255);

/** Reads `workflow`. */
export function readWorkflow(value: Value, at: KeywordScope): WorkflowConfig | undefined {
  const hash = readHash(value, at, ['rules', 'name', 'auto_cancel']);
  if (!hash) return undefined;
  const [name, rules, autoCancel] = [pickValue(hash, 'name'), pickValue(hash, 'rules'), pickValue(hash, 'auto_cancel')];
  return {
    name: name === undefined ? null : (readName(name, enterAttribute(at, 'name')) ?? null),
    rules: rules === undefined ? null : (readWorkflowRules(rules, enterKey(at, 'rules')) ?? null),
    auto_cancel: autoCancel === undefined ? {} : (readAutoCancel(autoCancel, enterKey(at, 'auto_cancel')) ?? {}),
  };
}

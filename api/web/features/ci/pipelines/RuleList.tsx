import rows from '../../../ui/Rows.module.css';
import { UnbrokenText } from '../../../ui/UnbrokenText.js';

/** A rule, as the API explains it. */
interface RuleResult {
  clause?: string;
  result?: string;
  because?: readonly { part?: string; note?: string; operands?: readonly { name: string; value: string | null }[] }[];
}

const RESULTS: Readonly<Record<string, string>> = {
  match: 'matches',
  no_match: "doesn't match",
  not_reached: 'not evaluated',
  error: "can't be evaluated",
};

/** The values of the variables in a rule: `CI_PIPELINE_SOURCE is "push"`. */
function describeOperands({ because = [] }: RuleResult): string {
  const values = because.flatMap(({ operands = [] }) => operands);
  return [
    ...new Set(values.map(({ name, value }) => (value === null ? `${name} is not set` : `${name} is "${value}"`))),
  ].join(', ');
}

/** Rules in their order, each with what it came to and the values that it looked at. */
export function RuleList({ rules }: { rules: readonly unknown[] }) {
  return (
    <ul className={rows.plain}>
      {(rules as readonly RuleResult[]).map((rule, index) => {
        const values = describeOperands(rule);
        return (
          <li key={index} className={rows.quiet}>
            <code>
              <UnbrokenText>{rule.clause || 'no condition'}</UnbrokenText>
            </code>{' '}
            {RESULTS[rule.result ?? ''] ?? rule.result}
            {values !== '' && <UnbrokenText>{`: ${values}`}</UnbrokenText>}
          </li>
        );
      })}
    </ul>
  );
}

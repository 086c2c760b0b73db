import type { ProtectedBranch } from '../../../data/api.js';
import { Button } from '../../../ui/Button.js';
import { Check } from '../../../ui/Check.js';
import { Dialog } from '../../../ui/Dialog.js';
import { Form } from '../../../app/forms/Form.js';
import { useEditBranchRule } from './queries.js';

interface EditBranchRuleProps {
  projectId: string;
  rule: ProtectedBranch;
  onClose: () => void;
  onDone: (message: string) => void;
}

/**
 * Whether force pushes are allowed. The grantees of a rule can only be changed by unprotecting and protecting again.
 */
export function EditBranchRule({ projectId, rule, onClose, onDone }: EditBranchRuleProps) {
  const { error, isPending, mutate } = useEditBranchRule(projectId, rule.name);
  return (
    <Dialog title={`Edit “${rule.name}”`} onClose={onClose}>
      <Form
        focusFirst
        submit="Save"
        busy={isPending}
        problem={error}
        fields={[]}
        beside={<Button onClick={onClose}>Cancel</Button>}
        onSubmit={(values) =>
          mutate(
            { allow_force_push: values.has('allow_force_push') },
            { onSuccess: () => onDone(`Rule “${rule.name}” saved.`) },
          )
        }
      >
        <Check
          label="Allow force push"
          name="allow_force_push"
          hint="Users with push access can overwrite the history. To change who has access, use the API or recreate the rule."
          on={rule.allow_force_push}
        />
      </Form>
    </Dialog>
  );
}

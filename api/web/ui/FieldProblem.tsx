import styles from '../app/forms/Form.module.css';

interface FieldProblemProps {
  id: string;
  label: string;
  problem: string | null;
}

/** The error of a field. The API reports validation errors without their subject: "is invalid". */
export function FieldProblem({ id, label, problem }: FieldProblemProps) {
  if (problem === null) return null;
  return (
    <p className={styles.error} id={id}>
      {/^[a-z]/.test(problem) ? `${label} ${problem}` : problem}
    </p>
  );
}

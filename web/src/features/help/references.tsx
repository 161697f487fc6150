/** Works a method rests on, in the form Chinese journals ask for. */
import styles from './help-page.module.css';

interface Reference {
  key: string;
  gbt: string;
  doi: string | null;
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && 'gbt' in value && typeof value.gbt === 'string';
}

export function References({ declaration }: { declaration: Record<string, unknown> }) {
  const list: unknown = declaration['references'];
  const works = Array.isArray(list) ? list.filter(isReference) : [];
  return (
    <ol className={styles['references']} lang="en">
      {works.map((work) => (
        <li key={work.key}>
          {work.gbt}
          {work.doi ? (
            <>
              {' '}
              <a href={`https://doi.org/${work.doi}`} target="_blank" rel="noreferrer">
                DOI
              </a>
            </>
          ) : null}
        </li>
      ))}
    </ol>
  );
}

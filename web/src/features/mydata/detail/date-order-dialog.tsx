import { Button, Modal } from 'antd';

import { DATE_ORDERS, useDateOrder } from './date-order.ts';
import styles from './date-order-dialog.module.css';

/** The question of which comes first, day or month; stands once on the data page. */
export function DateOrderDialog() {
  const asked = useDateOrder((state) => state.asked);
  const close = () => useDateOrder.setState({ asked: null });
  return (
    <Modal
      open={asked !== null}
      title="日和月，哪个在前？"
      width={420}
      footer={null}
      mask={{ blur: false }}
      closable={{ 'aria-label': '关闭' }}
      onCancel={close}
    >
      <p>{asked?.text}</p>
      <div className={styles['choices']}>
        {DATE_ORDERS.map(({ key, title, example }) => (
          <Button
            key={key}
            block
            onClick={() => {
              close();
              asked?.answer(key);
            }}
          >
            {title}（{example}）
          </Button>
        ))}
      </div>
    </Modal>
  );
}

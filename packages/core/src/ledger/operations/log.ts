/** log (8): leaves a note in history and changes nothing. */
import { utf8Length } from '../../basics/bytes.ts';
import { operationLimits } from '../../limits/consensus.ts';
import { refuse } from '../terms/codes.ts';
import { defineOperation } from './operation.ts';

export const log = defineOperation('log', {
  check(body) {
    const { logTopicBytesMax, logDataBytesMax } = operationLimits;
    const topicBytes = utf8Length(body.topic);
    if (topicBytes < 1 || topicBytes > logTopicBytesMax) {
      return refuse('invalidParameter', `a log topic has 1 to ${logTopicBytesMax} bytes`);
    }
    for (const data of body.datas) {
      const dataBytes = utf8Length(data);
      if (dataBytes < 1 || dataBytes > logDataBytesMax) {
        return refuse('invalidParameter', `each log data has 1 to ${logDataBytesMax} bytes`);
      }
    }
    return undefined;
  },

  apply: () => undefined,
});

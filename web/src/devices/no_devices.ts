import { emptyState } from "../base/empty_state";
import { h } from "../base/dom";

export function noDevices(): HTMLElement {
  return emptyState({
    title: "No device found",
    first: [
      "Check that the NVIDIA driver is installed: nvidia-smi lists the GPUs that Ergon can read.",
      ["Or show a simulated GPU: restart the server with ", h("code", null, "ergon serve --twin a30:resnet50:32"), "."],
    ],
  });
}

#include "sweep/table_one.h"

namespace ergon::sweep {

const std::vector<ListedNetwork>& table_one() {
  static const std::vector<ListedNetwork> all{
      {"m-r50x1", "bit/m-r50x1"},
      {"m-r50x3", "bit/m-r50x3"},
      {"m-r101x3", "bit/m-r101x3"},
      {"m-r101x1", "bit/m-r101x1"},
      {"m-r154x4", "bit/m-r154x4"},
      {"densenet121", "keras/densenet121"},
      {"densenet169", "keras/densenet169"},
      {"densenet201", "keras/densenet201"},
      {"efficientnetb0", "keras/efficientnetb0"},
      {"efficientnetb1", "keras/efficientnetb1"},
      {"efficientnetb2", "keras/efficientnetb2"},
      {"efficientnetb3", "keras/efficientnetb3"},
      {"efficientnetb4", "keras/efficientnetb4"},
      {"efficientnetb5", "keras/efficientnetb5"},
      {"efficientnetb6", "keras/efficientnetb6"},
      {"efficientnetb7", "keras/efficientnetb7"},
      {"inceptionresnetv2", "keras/inceptionresnetv2"},
      {"inceptionv3", "keras/inceptionv3"},
      {"mobilenet", "keras/mobilenet"},
      {"mobilenetv2", "keras/mobilenetv2"},
      {"nasnetlarge", "keras/nasnetlarge"},
      {"nasnetmobile", "keras/nasnetmobile"},
      {"resnet101", "keras/resnet101"},
      {"resnet101v2", "keras/resnet101v2"},
      {"resnet152", "keras/resnet152"},
      {"resnet152v2", "keras/resnet152v2"},
      {"resnet50v2", "keras/resnet50v2"},
      {"vgg16", "keras/vgg16"},
      {"vgg19", "keras/vgg19"},
      {"xception", "keras/xception"},
      {"alexnet", "caffe/alexnet"},
  };
  return all;
}

}  // namespace ergon::sweep

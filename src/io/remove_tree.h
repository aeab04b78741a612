// Removes a folder with all that a stranger has made of it: however deep, and whatever rights it
// took away. Links are not followed.
#pragma once

#include <cstddef>
#include <string>

namespace claude::io {

// Whether it is gone. Takes three descriptors, however deep the folder is, and looks at `most`
// things in it at the most: somebody may go on adding some.
bool remove_tree(const std::string& folder, std::size_t most);

}  // namespace claude::io
